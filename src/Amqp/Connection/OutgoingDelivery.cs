using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was sent, and what the peer has said of it.</summary>
public sealed class OutgoingDelivery
{
    private readonly SendOperation? _operation;

    // Guarded by the connection's lock. Made when somebody asks.
    private TaskCompletionSource<DeliveryState?>? _remote;
    private DeliveryState? _state;
    private AmqpException? _failure;
    private bool _isAnswered;

    internal OutgoingDelivery(AmqpSender sender, ReadOnlyMemory<byte> tag, long started)
    {
        Sender = sender;
        Tag = tag;
        Started = started;
    }

    /// <summary>The delivery of an operation that waits for the outcome, and is used again with it.</summary>
    internal OutgoingDelivery(AmqpSender sender, ReadOnlyMemory<byte> tag, SendOperation operation)
        : this(sender, tag, 0L) => _operation = operation;

    /// <summary>The link.</summary>
    public AmqpSender Sender { get; }

    /// <summary>The delivery-tag.</summary>
    public ReadOnlyMemory<byte> Tag { get; }

    /// <summary>The delivery's number in its session.</summary>
    public uint DeliveryId { get; internal set; }

    /// <summary>Whether the peer has settled.</summary>
    public bool RemotelySettled { get; internal set; }

    /// <summary>Whether the delivery is settled, by either side.</summary>
    public bool IsSettled { get; internal set; }

    /// <summary>The first state that the peer sends. Null when it settles without one. Faults when the link or connection is lost first.</summary>
    public Task<DeliveryState?> RemoteState
    {
        get
        {
            lock (Sender.Gate)
            {
                if (_remote is null)
                {
                    _remote = new TaskCompletionSource<DeliveryState?>(TaskCreationOptions.RunContinuationsAsynchronously);
                    Tell();
                }

                return _remote.Task;
            }
        }
    }

    /// <summary>Whatever the sending side wants to find again when the outcome arrives.</summary>
    public object? Context { get; set; }

    /// <summary>When it was sent, by the connection's clock. For the sweep of unanswered deliveries.</summary>
    internal long Started { get; private set; }

    /// <summary>Whether our side settles as soon as the peer has given a state.</summary>
    internal bool SettlesItself => _operation is not null;

    /// <summary>Settles with a state and forgets the delivery. Does nothing when the session is over.</summary>
    public void Settle(DeliveryState state) => Sender.Session.SettleOutgoing(this, state);

    /// <summary>Starts anew, for the next message of its operation.</summary>
    internal void Begin(long now)
    {
        Started = now;
        RemotelySettled = IsSettled = _isAnswered = false;
        _state = null;
        _failure = null;
    }

    /// <summary>Somebody is shown the delivery, who may keep it.</summary>
    internal void Share() => _operation?.Share();

    /// <summary>The outcome. With the operation completed, the delivery may be another one's. Under the lock.</summary>
    internal void Answer(DeliveryState? state)
    {
        if (_isAnswered)
        {
            return;
        }

        _isAnswered = true;
        _state = state;
        Tell();

        // Settled without an outcome: nothing says that the message was taken.
        _operation?.Complete(state ?? Released.Instance);
    }

    /// <summary>There will be no outcome. As for <see cref="Answer"/>.</summary>
    internal void Fail(AmqpException exception)
    {
        if (_isAnswered)
        {
            return;
        }

        _isAnswered = true;
        _failure = exception;
        Tell();
        _operation?.Fail(exception);
    }

    private void Tell()
    {
        if (_remote is null || !_isAnswered)
        {
            return;
        }

        if (_failure is null)
        {
            _remote.TrySetResult(_state);
        }
        else
        {
            // Whoever sent settled or watches dispositions by callback never looks at the task.
            _remote.TrySetException(_failure);
            _ = _remote.Task.Exception;
        }
    }
}
