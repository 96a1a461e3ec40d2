using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A session: a pair of channels with windows, in which links live. Its state is guarded by its connection's lock.</summary>
public sealed partial class AmqpSession : IAsyncDisposable
{
    private readonly TaskCompletionSource<Begin> _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<AmqpError?> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly AmqpSessionOptions _options;

    // Guarded by the connection's lock.
    private readonly Dictionary<uint, AmqpLink> _byLocalHandle = [];
    private readonly Dictionary<uint, AmqpLink> _byRemoteHandle = [];
    private readonly Dictionary<uint, LinkRequest> _asked = [];
    private AmqpException? _failure;
    private bool _endSent;
    private bool _over;

    internal AmqpSession(AmqpConnection connection, ushort localChannel, AmqpSessionOptions options)
    {
        Connection = connection;
        LocalChannel = localChannel;
        _options = options;
        _incomingWindow = options.IncomingWindow;
    }

    /// <summary>The connection.</summary>
    public AmqpConnection Connection { get; }

    /// <summary>Completes, and never faults, when the session has ended. Null when it ended without an error.</summary>
    public Task<AmqpError?> Completion => _completion.Task;

    /// <summary>Whether links may be attached.</summary>
    public bool IsOpen
    {
        get
        {
            lock (Connection.Gate)
            {
                return !_over && !_endSent;
            }
        }
    }

    internal ushort LocalChannel { get; }

    internal Task<Begin> Begun => _begun.Task;

    /// <summary>Attaches a link on which we send. Handle and role of <paramref name="attach"/> are filled in.</summary>
    /// <exception cref="AmqpException">The peer refused (<see cref="AmqpErrorScope.Link"/> with its error), did not answer, or was lost.</exception>
    public async Task<AmqpSender> AttachSenderAsync(Attach attach, CancellationToken cancellationToken)
    {
        AmqpSender sender;
        lock (Connection.Gate)
        {
            ThrowIfOver();
            sender = new AmqpSender(
                this,
                attach with
                {
                    Handle = FreeHandle(),
                    Role = LinkRole.Sender,
                    InitialDeliveryCount = attach.InitialDeliveryCount ?? 0,
                }
            );
            Attach(sender);
        }

        await AttachedAsync(sender, cancellationToken).ConfigureAwait(false);
        return sender;
    }

    /// <summary>Attaches a link on which we receive, and grants credit right after the attach without waiting for its answer.</summary>
    /// <exception cref="AmqpException">The peer refused (<see cref="AmqpErrorScope.Link"/> with its error), did not answer, or was lost.</exception>
    public async Task<AmqpReceiver> AttachReceiverAsync(Attach attach, uint initialCredit, CancellationToken cancellationToken)
    {
        AmqpReceiver receiver;
        lock (Connection.Gate)
        {
            ThrowIfOver();
            receiver = new AmqpReceiver(this, attach with { Handle = FreeHandle(), Role = LinkRole.Receiver });
            Attach(receiver);
            if (initialCredit > 0)
            {
                receiver.GrantLocked(initialCredit);
            }
        }

        await AttachedAsync(receiver, cancellationToken).ConfigureAwait(false);
        return receiver;
    }

    /// <summary>Ends the session and its links and waits for the peer's end.</summary>
    public async Task EndAsync(AmqpError? error, CancellationToken cancellationToken)
    {
        lock (Connection.Gate)
        {
            SendEnd(error);
        }

        await Connection.AnsweredAsync(_completion.Task, "end", cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Ends the session. The wait for the peer's answer ends with the operation's time-out.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            if (IsOpen)
            {
                await EndAsync(null, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (AmqpException)
        {
            // The session is gone, or the peer does not answer. There is nothing left to release.
        }
    }

    internal void SendBegin(ushort? remoteChannel) =>
        Connection.Send(
            LocalChannel,
            new Begin
            {
                RemoteChannel = remoteChannel,
                NextOutgoingId = _nextOutgoingId,
                IncomingWindow = _options.IncomingWindow,
                OutgoingWindow = _options.OutgoingWindow,
                HandleMax = _options.HandleMax,
                Properties = _options.Properties,
            }
        );

    internal void TakeBegin(Begin begin)
    {
        _nextIncomingId = begin.NextOutgoingId;
        _remoteIncomingWindow = begin.IncomingWindow;
        _remoteHandleMax = begin.HandleMax;
        _begun.TrySetResult(begin);
    }

    internal void TakeEnd(End end, DeferredCalls calls)
    {
        SendEnd(null);
        Connection.Forget(this);
        AmqpException failure = new(AmqpErrorScope.Session, end.Error ?? new AmqpError(ErrorCondition.ResourceDeleted, "The session has ended."));
        OverLocked(failure, end.Error, calls);
    }

    /// <summary>Ends the session and its links because the connection has ended.</summary>
    internal void Over(AmqpException failure)
    {
        DeferredCalls calls = new();
        lock (Connection.Gate)
        {
            OverLocked(failure, failure.Error, calls);
        }

        calls.RunAll(failed =>
            Connection.Settings.Notice?.Invoke(new ListenerNotice(ListenerEvent.CallFailed, Connection.RemoteEndPoint) { Exception = failed })
        );
    }

    internal void Take(in Frame frame, DeferredCalls calls)
    {
        if (_endSent)
        {
            // Frames that were on their way when we ended the session.
            return;
        }

        switch (frame.Performative)
        {
            case Transfer transfer:
                TakeTransfer(transfer.Head, frame.Payload, calls);
                break;
            case Disposition disposition:
                TakeDisposition(disposition.Head, calls);
                break;
            case Flow flow:
                TakeFlow(flow.Head, calls);
                break;
            case Attach attach:
                TakeAttach(attach, calls);
                break;
            case Detach detach:
                TakeDetach(detach, calls);
                break;
            default:
                throw new AmqpException(
                    AmqpErrorScope.Connection,
                    new AmqpError(ErrorCondition.NotAllowed, $"A {frame.Performative!.GetType().Name} does not belong in a session.")
                );
        }
    }

    /// <summary>Ends the session because the peer broke its rules. Under the lock.</summary>
    internal void Violate(string condition, string description, DeferredCalls calls)
    {
        AmqpError error = new(condition, description);
        SendEnd(error);
        OverLocked(new AmqpException(AmqpErrorScope.Session, error), error, calls);
    }

    /// <summary>Frees the handles of a link that was detached by both sides, or lost. Under the lock.</summary>
    internal void Forget(AmqpLink link)
    {
        _byLocalHandle.Remove(link.LocalAttach.Handle);
        if (link.Remote is { } remote && _byRemoteHandle.TryGetValue(remote.Handle, out var found) && found == link)
        {
            _byRemoteHandle.Remove(remote.Handle);
        }
    }

    internal void ThrowIfOver()
    {
        Connection.ThrowIfOver();
        if (_failure is not null || _endSent)
        {
            var error = _failure?.Error ?? new AmqpError(ErrorCondition.ResourceDeleted, "The session has ended.");
            throw new AmqpException(AmqpErrorScope.Session, error, _failure);
        }
    }

    internal void Register(AmqpLink link, uint remoteHandle)
    {
        _byLocalHandle.Add(link.LocalAttach.Handle, link);
        _byRemoteHandle.Add(remoteHandle, link);
    }

    /// <summary>Whether the peer allows one more handle of ours.</summary>
    internal bool HasFreeHandle => (uint)_byLocalHandle.Count <= Math.Min(_remoteHandleMax, _options.HandleMax);

    /// <summary>Ends the session from outside of the read loop. Under the lock.</summary>
    internal void Abandon(string condition, string description) => SendEnd(new AmqpError(condition, description));

    internal uint FreeHandle()
    {
        var highest = Math.Min(_remoteHandleMax, _options.HandleMax);
        for (uint handle = 0; handle <= highest; handle++)
        {
            if (!_byLocalHandle.ContainsKey(handle))
            {
                return handle;
            }
        }

        throw new AmqpException(
            AmqpErrorScope.Link,
            new AmqpError(ErrorCondition.ResourceLimitExceeded, $"All {highest + 1} handles of the session are in use.")
        );
    }

    internal void Withdraw(LinkRequest request) => _asked.Remove(request.Attach.Handle);

    private void Attach(AmqpLink link)
    {
        _byLocalHandle.Add(link.LocalAttach.Handle, link);
        Connection.Send(LocalChannel, link.LocalAttach);
    }

    private async Task AttachedAsync(AmqpLink link, CancellationToken cancellationToken)
    {
        try
        {
            await Connection.AnsweredAsync(link.Attached, $"attach of '{link.Name}'", cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or AmqpException { Scope: AmqpErrorScope.Timeout })
        {
            lock (Connection.Gate)
            {
                link.SendDetach(null);
            }

            throw;
        }
    }

    private void TakeAttach(Attach attach, DeferredCalls calls)
    {
        if (attach.Handle > _options.HandleMax)
        {
            throw new AmqpException(
                AmqpErrorScope.Connection,
                new AmqpError(ErrorCondition.FramingError, $"Handle {attach.Handle} is above the handle-max {_options.HandleMax}.")
            );
        }

        if (_byRemoteHandle.ContainsKey(attach.Handle) || _asked.ContainsKey(attach.Handle))
        {
            Violate(ErrorCondition.HandleInUse, $"Handle {attach.Handle} is in use.", calls);
            return;
        }

        var answered = _byLocalHandle.Values.FirstOrDefault(link => link.Remote is null && link.Name == attach.Name && link.LocalAttach.Role != attach.Role);
        if (answered is not null)
        {
            _byRemoteHandle.Add(attach.Handle, answered);
            answered.TakeAttach(attach);
            return;
        }

        LinkRequest request = new(this, attach);
        _asked.Add(attach.Handle, request);
        if (Connection.Acceptor is { } acceptor)
        {
            calls.Add(() => request.Start(acceptor));
        }
        else
        {
            calls.Add(() => request.Refuse(new AmqpError(ErrorCondition.NotAllowed, "This side takes no links.")));
        }
    }

    private void TakeDetach(Detach detach, DeferredCalls calls)
    {
        if (_asked.Remove(detach.Handle, out var request))
        {
            request.TakeDetach();
            return;
        }

        if (!_byRemoteHandle.Remove(detach.Handle, out var link))
        {
            Violate(ErrorCondition.UnattachedHandle, $"Handle {detach.Handle} is not attached.", calls);
            return;
        }

        link.TakeDetach(detach, calls);
    }

    private void SendEnd(AmqpError? error)
    {
        if (!_endSent)
        {
            _endSent = true;
            Connection.Send(LocalChannel, new End { Error = error });
        }
    }

    private void OverLocked(AmqpException failure, AmqpError? result, DeferredCalls calls)
    {
        if (_over)
        {
            return;
        }

        _over = true;
        _failure = failure;
        _begun.TrySetException(failure);
        _ = _begun.Task.Exception;
        foreach (var link in _byLocalHandle.Values.ToArray())
        {
            link.Lose(failure, calls);
        }

        _byLocalHandle.Clear();
        _byRemoteHandle.Clear();
        _asked.Clear();
        FailDeliveries(failure);
        _completion.TrySetResult(result);
    }
}
