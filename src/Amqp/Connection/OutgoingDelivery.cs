using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was sent, and the states that the peer has sent for it.</summary>
public sealed class OutgoingDelivery
{
    private readonly SendOperation? _operation;

    // Guarded by the connection's lock. Created when a caller asks for it.
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
                    Notify();
                }

                return _remote.Task;
            }
        }
    }

    /// <summary>Any object that the sender wants to find again when the outcome arrives.</summary>
    public object? Context { get; set; }

    /// <summary>When it was sent, by the connection's clock. Used to find unanswered deliveries.</summary>
    internal long Started { get; private set; }

    /// <summary>Whether our side settles as soon as the peer has sent a state.</summary>
    internal bool SettlesItself => _operation is not null;

    /// <summary>Settles with a state and forgets the delivery. Does nothing when the session has ended.</summary>
    public void Settle(DeliveryState state) => Sender.Session.SettleOutgoing(this, state);

    /// <summary>Resets it for the next message of its operation.</summary>
    internal void Begin(long now)
    {
        Started = now;
        RemotelySettled = IsSettled = _isAnswered = false;
        _state = null;
        _failure = null;
    }

    /// <summary>A caller receives the delivery and may keep it.</summary>
    internal void Share() => _operation?.Share();

    /// <summary>Sets the outcome. Once the operation is complete, the delivery may serve another message. Under the lock.</summary>
    internal void Answer(DeliveryState? state)
    {
        if (_isAnswered)
        {
            return;
        }

        _isAnswered = true;
        _state = state;
        Notify();

        // Settled without an outcome: this does not prove that the peer accepted the message.
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
        Notify();
        _operation?.Fail(exception);
    }

    private void Notify()
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
            // A caller that sent settled or uses the callback never observes the task.
            _remote.TrySetException(_failure);
            _ = _remote.Task.Exception;
        }
    }
}
