using System.Net;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A connection, opened by us or by a peer. All its members may be used from any thread.</summary>
public sealed class AmqpConnection : IAsyncDisposable
{
    private AmqpConnection()
    {
    }

    /// <summary>Completes, and never faults, when the connection is over; null when it was closed without error.</summary>
    public Task<AmqpError?> Completion => throw new NotSupportedException();

    /// <summary>True while open on both sides.</summary>
    public bool IsOpen => throw new NotSupportedException();

    /// <summary>Our container's name.</summary>
    public string ContainerId => throw new NotSupportedException();

    /// <summary>The peer's open.</summary>
    public Open? RemoteOpen => throw new NotSupportedException();

    /// <summary>The peer's address.</summary>
    public EndPoint? RemoteEndPoint => throw new NotSupportedException();

    /// <summary>How the peer of a listener introduced itself; null without SASL and in a client.</summary>
    public SaslIdentity? Sasl => throw new NotSupportedException();

    /// <summary>Connects, authenticates and opens.</summary>
    /// <exception cref="AmqpException">The host cannot be reached or refuses (Transport, Connection), or does not answer in time (Timeout).</exception>
    public static Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Begins a session.</summary>
    /// <exception cref="AmqpException">The peer refused, did not answer in time, or the connection is over.</exception>
    public Task<AmqpSession> BeginSessionAsync(AmqpSessionOptions options, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Closes and waits for the peer's answer; does nothing when the connection is over.</summary>
    /// <exception cref="AmqpException">The peer did not answer in time; the socket is closed all the same.</exception>
    public Task CloseAsync(AmqpError? error, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Drops the socket at once.</summary>
    public void Abort(AmqpError error) => throw new NotSupportedException();

    /// <summary>Closes, for a short time waiting for the answer, and releases everything; never throws.</summary>
    public ValueTask DisposeAsync() => throw new NotSupportedException();
}
