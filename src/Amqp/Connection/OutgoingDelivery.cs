using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was sent, and what the peer has said of it.</summary>
public sealed class OutgoingDelivery
{
    private readonly TaskCompletionSource<DeliveryState?> _remote = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal OutgoingDelivery(AmqpSender sender, ReadOnlyMemory<byte> tag, long started)
    {
        Sender = sender;
        Tag = tag;
        Started = started;
    }

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

    /// <summary>The first state that the peer sends; null when it settles without one. Faults when the link or connection is lost first.</summary>
    public Task<DeliveryState?> RemoteState => _remote.Task;

    /// <summary>Whatever the sending side wants to find again when the outcome arrives.</summary>
    public object? Context { get; set; }

    /// <summary>When it was sent, by the connection's clock; for the sweep of unanswered deliveries.</summary>
    internal long Started { get; }

    /// <summary>Whether our side settles as soon as the peer has given a state.</summary>
    internal bool SettlesItself { get; set; }

    /// <summary>Settles with a state and forgets the delivery; does nothing when the session is over.</summary>
    public void Settle(DeliveryState state) => Sender.Session.SettleOutgoing(this, state);

    internal void Answer(DeliveryState? state) => _remote.TrySetResult(state);

    internal void Fail(AmqpException exception)
    {
        if (_remote.TrySetException(exception))
        {
            // Whoever sent settled or watches dispositions by callback never looks at the task.
            _ = _remote.Task.Exception;
        }
    }
}
