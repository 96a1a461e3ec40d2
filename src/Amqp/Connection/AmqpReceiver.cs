using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>The receiving end of a link.</summary>
public sealed class AmqpReceiver : AmqpLink
{
    internal AmqpReceiver(AmqpSession session, Attach localAttach)
        : base(session, localAttach)
    {
    }

    /// <summary>How many messages the sender may still send.</summary>
    public uint Credit => throw new NotSupportedException();

    /// <summary>Lets the sender send so many messages more.</summary>
    public void AddCredit(uint credit) => throw new NotSupportedException(credit.ToString());

    /// <summary>Keeps credit and messages waiting together at this number; tops up when half is used. 0 leaves credit to <see cref="AddCredit"/>.</summary>
    public void SetPrefetch(uint window) => throw new NotSupportedException(window.ToString());

    /// <summary>Takes the next delivery.</summary>
    /// <exception cref="AmqpException">The link is over and no delivery is left.</exception>
    public ValueTask<IncomingDelivery> ReceiveAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>Takes the next delivery if one is waiting.</summary>
    public bool TryReceive([NotNullWhen(true)] out IncomingDelivery? delivery) => throw new NotSupportedException();

    /// <summary>Settles a delivery and tells the sender; does nothing when it is settled or the link is over. Adjacent equal outcomes travel together.</summary>
    public void Settle(IncomingDelivery delivery, DeliveryState state) => throw new NotSupportedException(state.ToString());

    /// <summary>States an outcome and waits until the sender has settled (receiver settle mode "second").</summary>
    /// <returns>The state with which the sender settled.</returns>
    /// <exception cref="AmqpException">The link is over, or the sender did not answer in time.</exception>
    public Task<DeliveryState?> SettleAsync(IncomingDelivery delivery, DeliveryState state, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Asks the sender to use the credit up or give it back; completes when none is left. What it sent is waiting to be received.</summary>
    /// <exception cref="AmqpException">The link is over, or the sender did not answer in time.</exception>
    public Task DrainAsync(CancellationToken cancellationToken) => throw new NotSupportedException();
}
