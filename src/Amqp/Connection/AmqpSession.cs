using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A session: links that share windows and delivery numbers.</summary>
public sealed class AmqpSession : IAsyncDisposable
{
    internal AmqpSession(AmqpConnection connection) => Connection = connection;

    /// <summary>The connection.</summary>
    public AmqpConnection Connection { get; }

    /// <summary>True while begun on both sides.</summary>
    public bool IsOpen => throw new NotSupportedException();

    /// <summary>Completes, and never faults, when the session is over; null without error.</summary>
    public Task<AmqpError?> Completion => throw new NotSupportedException();

    /// <summary>Attaches a sending link; handle and role are filled in.</summary>
    /// <exception cref="AmqpException">The peer refused, did not answer in time, or the session is over.</exception>
    public Task<AmqpSender> AttachSenderAsync(Attach attach, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Attaches a receiving link; handle and role are filled in.</summary>
    /// <exception cref="AmqpException">The peer refused, did not answer in time, or the session is over.</exception>
    public Task<AmqpReceiver> AttachReceiverAsync(Attach attach, uint initialCredit, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Ends the session and waits for the peer's answer; does nothing when it is over.</summary>
    /// <exception cref="AmqpException">The peer did not answer in time, or the connection was lost meanwhile.</exception>
    public Task EndAsync(AmqpError? error, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Ends without an error; never throws.</summary>
    public ValueTask DisposeAsync() => throw new NotSupportedException();
}
