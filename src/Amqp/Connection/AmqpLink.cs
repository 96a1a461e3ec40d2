using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>One direction of messages within a session.</summary>
public abstract class AmqpLink : IAsyncDisposable
{
    private protected AmqpLink(AmqpSession session, Attach localAttach)
    {
        Session = session;
        LocalAttach = localAttach;
        RemoteAttach = localAttach;
    }

    /// <summary>The link's name.</summary>
    public string Name => LocalAttach.Name;

    /// <summary>The session.</summary>
    public AmqpSession Session { get; }

    /// <summary>Our attach as sent.</summary>
    public Attach LocalAttach { get; }

    /// <summary>The peer's attach.</summary>
    public Attach RemoteAttach { get; internal set; }

    /// <summary>True while attached on both sides.</summary>
    public bool IsOpen => throw new NotSupportedException();

    /// <summary>Completes, and never faults, when either side has detached or session or connection are over; null without error.</summary>
    public Task<AmqpError?> Completion => throw new NotSupportedException();

    /// <summary>Detaches for good and waits for the peer's answer; does nothing when the link is over.</summary>
    /// <exception cref="AmqpException">The peer did not answer in time, or the connection was lost meanwhile.</exception>
    public Task DetachAsync(AmqpError? error, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Detaches without an error; never throws.</summary>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        throw new NotSupportedException();
    }
}
