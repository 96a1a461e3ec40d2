using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>Address, announced values, and the limits for hostile peers.</summary>
public sealed record AmqpListenerOptions
{
    /// <summary>The address. Loopback by default.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port. 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>The certificate with its private key. With it the port speaks TLS only.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>
    /// Decides on the certificate of a peer, or on its absence. With it, peers are asked for a certificate in TLS and may authenticate by it: add
    /// <see cref="SaslMechanism.External"/> to <see cref="SaslMechanisms"/>. Null, the default, asks for none.
    /// </summary>
    public RemoteCertificateValidationCallback? CheckPeerCertificate { get; init; }

    /// <summary>
    /// The path of AMQP over WebSockets on the same port. A peer whose first bytes are an HTTP request is upgraded there. Azure's path is
    /// <see cref="AmqpWebSocketOptions.AzurePath"/>. Null, the default, accepts none.
    /// </summary>
    public string? WebSocketPath { get; init; }

    /// <summary>
    /// Serves a peer on the same port whose first bytes are an HTTP request that does not ask for a WebSocket. The connection is closed when the task is
    /// complete. The task is cancelled when the listener stops. It applies its own time-outs and counts towards <see cref="MaxConnections"/>. Null, the
    /// default, refuses such peers.
    /// </summary>
    public Func<AmqpHttpPeer, CancellationToken, Task>? ServeHttp { get; init; }

    /// <summary>Our container's name. A new one when null.</summary>
    public string? ContainerId { get; init; }

    /// <summary>The largest frame that is accepted, in bytes.</summary>
    public uint MaxFrameSize { get; init; } = 65_536;

    /// <summary>The highest channel number.</summary>
    public ushort ChannelMax { get; init; } = 255;

    /// <summary>The highest handle of a session.</summary>
    public uint HandleMax { get; init; } = 255;

    /// <summary>Transfer frames that a session accepts before it announces the window again.</summary>
    public uint SessionWindow { get; init; } = 5_000;

    /// <summary>Outgoing deliveries of a session that may be unsettled concurrently.</summary>
    public int UnsettledLimit { get; init; } = 5_000;

    /// <summary>The idle time-out that is announced. The connection ends when the peer has sent nothing for twice that time.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(240);

    /// <summary>How long a peer may take from connecting to its open frame.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an answer (end, detach, close) may take.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The number of concurrent connections. Any more are closed.</summary>
    public int MaxConnections { get; init; } = 4_096;

    /// <summary>Refused links per connection. The last one closes the connection.</summary>
    public int RefusalLimit { get; init; } = 1_000;

    /// <summary>The SASL mechanisms that are offered, in this order.</summary>
    public IReadOnlyList<string> SaslMechanisms { get; init; } = ["MSSBCBS", "ANONYMOUS", "PLAIN"];

    /// <summary>Decides on the identity that a peer sent in SASL. Null admits every peer, whose rights are granted by tokens.</summary>
    public Func<SaslIdentity, bool>? Authenticate { get; init; }

    /// <summary>
    /// Runs between every accepted socket and its first byte. Returns the stream that is served, or null to serve none. Its duration does not count towards
    /// the handshake. For experiments with bad networks.
    /// </summary>
    public Func<NetworkStream, CancellationToken, ValueTask<Stream?>>? Intercept { get; init; }

    /// <summary>The largest message, in bytes, on links that were accepted without a limit.</summary>
    public ulong MaxMessageSize { get; init; } = 1_048_576;

    /// <summary>Bytes that may wait to be written per connection.</summary>
    public int WriteQueueLimit { get; init; } = 8 * 1024 * 1024;

    /// <summary>The connection ends when a peer does not accept 64 KiB, or what there is, within this time.</summary>
    public TimeSpan StalledPeerTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Receives events of peers and links that no other component reports. It is called from any thread and must neither block nor throw.</summary>
    public Action<ListenerNotice>? Notice { get; init; }

    /// <summary>Creates the observer of a connection's frames from the peer's address, or returns null. Null, the default, costs nothing.</summary>
    public Func<EndPoint?, IFrameObserver?>? FrameObserver { get; init; }

    /// <summary>The clock of every time-out.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
