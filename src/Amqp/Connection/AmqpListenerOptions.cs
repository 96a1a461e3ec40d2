using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>Where to listen, what to announce, and the limits that hostile peers meet.</summary>
public sealed record AmqpListenerOptions
{
    /// <summary>The address. Loopback unless told otherwise.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port. 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>The certificate with its private key. With it the port speaks TLS only.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>
    /// Decides on the certificate of a peer, or on its absence. With it peers are asked for one in TLS, and may authenticate by it: add
    /// <see cref="SaslMechanism.External"/> to <see cref="SaslMechanisms"/>. Null, the default, asks for none.
    /// </summary>
    public RemoteCertificateValidationCallback? CheckPeerCertificate { get; init; }

    /// <summary>
    /// Where AMQP over WebSockets is taken, on the same port: whoever begins with a request of HTTP is upgraded there, <see cref="AmqpWebSocketOptions.AzurePath"/>
    /// as Azure has it. Null, the default, takes none.
    /// </summary>
    public string? WebSocketPath { get; init; }

    /// <summary>
    /// Serves a peer that begins with a request of HTTP which asks for no WebSocket, on the same port. The connection is closed when its task is done.
    /// It is cancelled when the listener stops, sees to its own time-outs, and counts towards <see cref="MaxConnections"/>. Null, the default, refuses such peers.
    /// </summary>
    public Func<AmqpHttpPeer, CancellationToken, Task>? ServeHttp { get; init; }

    /// <summary>Our container's name. A new one when null.</summary>
    public string? ContainerId { get; init; }

    /// <summary>The largest frame that we take, in bytes.</summary>
    public uint MaxFrameSize { get; init; } = 65_536;

    /// <summary>The highest channel number.</summary>
    public ushort ChannelMax { get; init; } = 255;

    /// <summary>The highest handle of a session.</summary>
    public uint HandleMax { get; init; } = 255;

    /// <summary>Transfer frames that a session takes before it announces the window anew.</summary>
    public uint SessionWindow { get; init; } = 5_000;

    /// <summary>Outgoing deliveries that may be unsettled at once in a session.</summary>
    public int UnsettledLimit { get; init; } = 5_000;

    /// <summary>The idle time-out that is announced. A peer is given up after twice that without a byte.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(240);

    /// <summary>How long a peer may take from connecting to its open frame.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an answer (end, detach, close) may take.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Connections at once. One more is dropped.</summary>
    public int MaxConnections { get; init; } = 4_096;

    /// <summary>Links of one connection that may be refused. With the last one the connection is closed.</summary>
    public int RefusalLimit { get; init; } = 1_000;

    /// <summary>The SASL mechanisms that are offered, in this order.</summary>
    public IReadOnlyList<string> SaslMechanisms { get; init; } = ["MSSBCBS", "ANONYMOUS", "PLAIN"];

    /// <summary>Decides on what a peer said of itself in SASL. Null lets every peer in, whose rights come by tokens.</summary>
    public Func<SaslIdentity, bool>? Authenticate { get; init; }

    /// <summary>
    /// Comes between every accepted socket and its first byte: gives the stream that is served, or null to serve none. It may take
    /// its time, which is not counted towards the handshake's. For experiments with bad networks.
    /// </summary>
    public Func<NetworkStream, CancellationToken, ValueTask<Stream?>>? Intercept { get; init; }

    /// <summary>The largest message, in bytes, on links that were accepted without a limit of their own.</summary>
    public ulong MaxMessageSize { get; init; } = 1_048_576;

    /// <summary>Bytes that may wait to be written per connection.</summary>
    public int WriteQueueLimit { get; init; } = 8 * 1024 * 1024;

    /// <summary>A peer that does not take 64 KiB, or what there is, within this time is given up.</summary>
    public TimeSpan StalledPeerTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Told of what befalls peers and links at the edge, which nobody else hears of. From any thread, must neither block nor throw.</summary>
    public Action<ListenerNotice>? Notice { get; init; }

    /// <summary>Makes what sees the frames of a connection, by its peer's address, or gives null. Null, the default, costs nothing.</summary>
    public Func<EndPoint?, IFrameObserver?>? FrameObserver { get; init; }

    /// <summary>The clock of every time-out.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
