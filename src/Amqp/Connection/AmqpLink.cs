using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>One direction of messages between two terminuses. Its state is guarded by its connection's lock.</summary>
public abstract class AmqpLink : IAsyncDisposable
{
    private readonly TaskCompletionSource<Attach> _attached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<AmqpError?> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Written under the lock.
    private volatile bool _detachSent;
    private volatile bool _over;
    private long _lastTraffic;

    private protected AmqpLink(AmqpSession session, Attach localAttach)
    {
        Session = session;
        LocalAttach = localAttach;
        _lastTraffic = session.Connection.Settings.TimeProvider.GetTimestamp();
    }

    /// <summary>The link's name.</summary>
    public string Name => LocalAttach.Name;

    /// <summary>The session.</summary>
    public AmqpSession Session { get; }

    /// <summary>Our attach frame.</summary>
    public Attach LocalAttach { get; }

    /// <summary>The peer's attach frame.</summary>
    public Attach RemoteAttach => Remote ?? throw new InvalidOperationException($"The attach of link '{Name}' has not been answered.");

    /// <summary>Whether messages can still be sent or received.</summary>
    public bool IsOpen => !_over && !_detachSent;

    /// <summary>
    /// When a message or an outcome last passed, as a timestamp of the connection's clock. Before the first one, when the link was created.
    /// </summary>
    public long LastTraffic => Volatile.Read(ref _lastTraffic);

    /// <summary>Completes, and never faults, when the link has ended. The result is the error of the side that detached it, null for none.</summary>
    public Task<AmqpError?> Completion => _completion.Task;

    /// <summary>The peer's attach frame. Null until it has arrived. Under the lock.</summary>
    internal Attach? Remote { get; private set; }

    internal Task<Attach> Attached => _attached.Task;

    internal Lock Gate => Session.Connection.Gate;

    /// <summary>Why the link has ended. Null while it is not. Under the lock.</summary>
    internal AmqpException? Failure { get; private set; }

    /// <summary>Detaches for good, with or without an error, and waits for the peer's detach.</summary>
    /// <exception cref="AmqpException">The peer did not answer in time.</exception>
    public async Task DetachAsync(AmqpError? error, CancellationToken cancellationToken)
    {
        lock (Gate)
        {
            SendDetach(error);
        }

        await Session.Connection.AnsweredAsync(_completion.Task, $"detach of '{Name}'", cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Detaches. The wait for the peer's answer ends with the operation's time-out.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            if (IsOpen)
            {
                await DetachAsync(null, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (AmqpException)
        {
            // The peer does not answer. There is nothing left to release.
        }
    }

    internal void NoteTraffic(long timestamp) => Volatile.Write(ref _lastTraffic, timestamp);

    internal void SendDetach(AmqpError? error)
    {
        if (!_over && !_detachSent)
        {
            _detachSent = true;
            Session.Connection.Send(
                Session.LocalChannel,
                new Detach
                {
                    Handle = LocalAttach.Handle,
                    Closed = true,
                    Error = error,
                }
            );
            Failure ??= new AmqpException(AmqpErrorScope.Link, error ?? new AmqpError(ErrorCondition.DetachForced, $"Link '{Name}' was detached."));
        }
    }

    internal void TakeAttach(Attach attach)
    {
        Remote = attach;
        OnAttached(attach);

        // A refusal arrives as an attach without the terminus. Its reason follows with the detach.
        var refused = attach.Role == LinkRole.Receiver ? attach.Target is null : attach.Source is null;
        if (!refused)
        {
            _attached.TrySetResult(attach);
        }
    }

    /// <summary>Creates the link by answering the peer's attach.</summary>
    internal void Answer(Attach remote)
    {
        Remote = remote;
        OnAttached(remote);
        _attached.TrySetResult(remote);
    }

    internal void TakeDetach(Detach detach, DeferredCalls calls)
    {
        // Our own reason, if the peer's detach only answers it.
        var own = Failure?.Error;
        SendDetach(null);
        Session.Forget(this);
        var error = detach.Error ?? own ?? new AmqpError(ErrorCondition.DetachForced, $"The peer detached link '{Name}'.");
        LoseLocked(new AmqpException(AmqpErrorScope.Link, error), detach.Error, calls);
    }

    /// <summary>Ends the link because its session or connection has ended.</summary>
    internal void Lose(AmqpException failure, DeferredCalls calls) => LoseLocked(failure, failure.Error, calls);

    internal abstract void TakeFlow(in FlowHead flow, DeferredCalls calls);

    internal abstract void TakeTransfer(in TransferHead transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls);

    private protected abstract void OnAttached(Attach remote);

    /// <summary>
    /// Why nothing arrives any more. Null while something may arrive, also after a detach of ours that is not answered yet. Under the lock.
    /// </summary>
    private protected AmqpException? Lost => _over ? Failure : null;

    private protected abstract void OnLost(AmqpException failure, DeferredCalls calls);

    private protected void ThrowIfOver()
    {
        Session.ThrowIfOver();
        if (Failure is not null)
        {
            throw Failure.Again();
        }
    }

    private void LoseLocked(AmqpException failure, AmqpError? result, DeferredCalls calls)
    {
        if (_over)
        {
            return;
        }

        _over = true;
        Failure = failure;
        _attached.TrySetException(failure);
        _ = _attached.Task.Exception;
        Session.FailDeliveriesOf(this, failure);
        OnLost(failure, calls);
        _completion.TrySetResult(result);
    }
}
