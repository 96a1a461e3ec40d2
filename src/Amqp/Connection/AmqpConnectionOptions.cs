using System.Net;
using System.Net.Security;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>Options of a client's connection.</summary>
public sealed record AmqpConnectionOptions
{
    /// <summary>The usual <see cref="MaxMessageSize"/>: 4 MiB.</summary>
    public const ulong DefaultMaxMessageSize = 4 * 1024 * 1024;

    /// <summary>The host name or address to connect to.</summary>
    public required string Host { get; init; }

    /// <summary>The port. 5672 is AMQP's, 5671 with TLS.</summary>
    public required int Port { get; init; }

    /// <summary>The virtual host of the open frame. <see cref="Host"/> when null.</summary>
    public string? HostName { get; init; }

    /// <summary>Whether the connection is encrypted.</summary>
    public bool UseTls { get; init; }

    /// <summary>TLS settings. Null checks the certificate against <see cref="Host"/> with TLS 1.2 or newer.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>Carries AMQP over a WebSocket, whose usual ports are 443 with TLS and 80 without. Null, the default, uses the socket directly.</summary>
    public AmqpWebSocketOptions? WebSocket { get; init; }

    /// <summary>Our container's name. A new one when null.</summary>
    public string? ContainerId { get; init; }

    /// <summary>The largest frame that is accepted, in bytes. At least 512.</summary>
    public uint MaxFrameSize { get; init; } = 65_536;

    /// <summary>
    /// The largest message that is received, in bytes of all its frames. A larger one detaches its link with <c>amqp:link:message-size-exceeded</c>. At
    /// least 1. Default 4 MiB.
    /// </summary>
    public ulong MaxMessageSize { get; init; } = DefaultMaxMessageSize;

    /// <summary>The highest channel number. One less than the number of sessions.</summary>
    public ushort ChannelMax { get; init; } = 255;

    /// <summary>The idle time-out that is announced. The connection ends when the peer has sent nothing for twice that time.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long an answer (open, begin, attach, outcome, detach …) may take.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long connecting, TLS, the WebSocket and SASL may take together.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Connection properties of the open frame.</summary>
    public AmqpMap? Properties { get; init; }

    /// <summary>PLAIN with this credential. When null MSSBCBS if it is offered, else ANONYMOUS.</summary>
    public SaslCredential? Sasl { get; init; }

    /// <summary>
    /// SASL EXTERNAL, by the client certificate of <see cref="Tls"/>. The value is the wanted identity. Empty means the name in the certificate. Null, the
    /// default, uses <see cref="Sasl"/>, which must be null otherwise.
    /// </summary>
    public string? ExternalIdentity { get; init; }

    /// <summary>Bytes that may wait to be written. Transfers wait while it is exceeded.</summary>
    public int WriteQueueLimit { get; init; } = 8 * 1024 * 1024;

    /// <summary>The connection ends when the peer has accepted no byte for this long.</summary>
    public TimeSpan StalledPeerTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Creates the observer of a connection's frames from the peer's address, or returns null. Null, the default, costs nothing.</summary>
    public Func<EndPoint?, IFrameObserver?>? FrameObserver { get; init; }

    /// <summary>The clock of every time-out.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
