using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.Amqp;

/// <summary>Where a listener listens and what it takes from its peers.</summary>
public sealed record AmqpListenerOptions
{
    /// <summary>The local address; 127.0.0.1 by default.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port; 0, the default, takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>The certificate with its key; null for plain TCP.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The container's name in open, not empty.</summary>
    public string ContainerId { get; init; } = "listener";

    /// <summary>The largest frame taken, in bytes; 512 or more, 65,536 by default.</summary>
    public uint MaxFrameSize { get; init; } = 65_536;

    /// <summary>The highest channel number, so at most one more sessions on a connection; 255 by default.</summary>
    public ushort ChannelMax { get; init; } = 255;

    /// <summary>The highest link handle, so at most one more links on a session; 255 by default.</summary>
    public uint HandleMax { get; init; } = 255;

    /// <summary>Transfer frames that a peer may send ahead on a session; announced again when half is used. 5,000 by default.</summary>
    public uint SessionWindow { get; init; } = 5_000;

    /// <summary>Deliveries that may be unsettled on a session in each direction; 5,000 by default.</summary>
    public int UnsettledLimit { get; init; } = 5_000;

    /// <summary>The idle time-out announced, 240 s by default; a peer is given up after twice this time of silence. Zero: none.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(240);

    /// <summary>How long a peer may take from connecting until its open; 10 s by default.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an answer of a peer may take; 60 s by default.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How many connections are open at most; 4,096 by default. The next is closed with resource-limit-exceeded.</summary>
    public int MaxConnections { get; init; } = 4_096;

    /// <summary>The largest message taken, in bytes, unless the link's answer says otherwise; 1,048,576 by default.</summary>
    public ulong MaxMessageSize { get; init; } = 1_048_576;

    /// <summary>The mechanisms offered, the preferred one first: MSSBCBS, ANONYMOUS and PLAIN by default.</summary>
    public IReadOnlyList<string> SaslMechanisms { get; init; } =
        [SaslMechanism.Mssbcbs, SaslMechanism.Anonymous, SaslMechanism.Plain];

    /// <summary>Judges an identity before the connection opens; false is answered by the SASL outcome "auth". Null takes everyone.</summary>
    public Func<SaslIdentity, bool>? Authenticate { get; init; }

    /// <summary>Bytes that may wait to be written to a peer before senders wait; 8 MiB by default.</summary>
    public int WriteQueueLimit { get; init; } = 8 * 1024 * 1024;

    /// <summary>How long a peer may take no bytes before it is dropped; 30 s by default.</summary>
    public TimeSpan StalledPeerTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of all time-outs.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
