using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was sent.</summary>
public sealed class OutgoingDelivery
{
    internal OutgoingDelivery(AmqpSender sender) => Sender = sender;

    /// <summary>The link that it was sent on.</summary>
    public AmqpSender Sender { get; }

    /// <summary>The delivery's number within its session and direction.</summary>
    public uint DeliveryId { get; internal set; }

    /// <summary>The delivery-tag.</summary>
    public ReadOnlyMemory<byte> Tag { get; internal set; }

    /// <summary>True when either side has settled it.</summary>
    public bool IsSettled => throw new NotSupportedException();

    /// <summary>True when the peer has settled it.</summary>
    public bool RemotelySettled => throw new NotSupportedException();

    /// <summary>For the application's use.</summary>
    public object? Context { get; set; }

    /// <summary>Completes with the first state that the peer sends, or null when it settles without one.</summary>
    /// <exception cref="AmqpException">The link, session or connection is over.</exception>
    public Task<DeliveryState?> RemoteState => throw new NotSupportedException();

    /// <summary>Settles the delivery and tells the peer; does nothing when it is settled or its link is over.</summary>
    public void Settle(DeliveryState state) => throw new NotSupportedException(state.ToString());
}
