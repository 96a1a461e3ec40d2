using System.Net.Security;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>How a client opens a connection.</summary>
public sealed record AmqpConnectionOptions
{
    /// <summary>The host name or address to connect to.</summary>
    public required string Host { get; init; }

    /// <summary>The port, 1 to 65535; usually 5672, with TLS 5671.</summary>
    public required int Port { get; init; }

    /// <summary>The virtual host in open and SASL; <see cref="Host"/> when null.</summary>
    public string? HostName { get; init; }

    /// <summary>True for TLS.</summary>
    public bool UseTls { get; init; }

    /// <summary>How TLS is done; by default the certificate must be valid for <see cref="Host"/>. Give a target host in it.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>The container's name in open; random when null.</summary>
    public string? ContainerId { get; init; }

    /// <summary>The largest frame taken, in bytes; 512 or more, 65,536 by default.</summary>
    public uint MaxFrameSize { get; init; } = 65_536;

    /// <summary>The highest channel number; 255 by default.</summary>
    public ushort ChannelMax { get; init; } = 255;

    /// <summary>The idle time-out announced, 60 s by default; the peer is given up after twice this time of silence. Zero: none.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long any answer of the peer may take; 60 s by default.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long connecting the socket may take; 10 s by default.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Properties in open; the keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>Credentials for PLAIN; when null, MSSBCBS if it is offered, else ANONYMOUS.</summary>
    public SaslCredential? Sasl { get; init; }

    /// <summary>Bytes that may wait to be written before senders wait; 8 MiB by default.</summary>
    public int WriteQueueLimit { get; init; } = 8 * 1024 * 1024;

    /// <summary>How long a peer may take no bytes before it is dropped; 30 s by default.</summary>
    public TimeSpan StalledPeerTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of all time-outs.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
