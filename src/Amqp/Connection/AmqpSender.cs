using System.Buffers;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>The sending end of a link.</summary>
public sealed class AmqpSender : AmqpLink
{
    internal AmqpSender(AmqpSession session, Attach localAttach)
        : base(session, localAttach)
    {
    }

    /// <summary>How many messages the receiver still takes.</summary>
    public uint Credit => throw new NotSupportedException();

    /// <summary>True when the receiver asked to use the credit up or give it back; <see cref="CompleteDrain"/> answers.</summary>
    public bool DrainRequested => throw new NotSupportedException();

    /// <summary>The largest message that the receiver takes, in bytes; 0 when it states no limit.</summary>
    public ulong MaxMessageSize => throw new NotSupportedException();

    /// <summary>Raised after each flow for this link, on the read loop, outside of locks; must not block.</summary>
    public event Action? CreditChanged;

    /// <summary>
    /// Called for each disposition of a delivery on this link: the delivery, its state and whether the peer has settled.
    /// On the read loop, outside of locks; must not block. For servers with very many unsettled deliveries.
    /// </summary>
    public Action<OutgoingDelivery, DeliveryState?, bool>? DispositionReceived { get; set; }

    /// <summary>Completes when <see cref="Credit"/> is above 0; waits without limit for the receiver to want messages.</summary>
    /// <exception cref="AmqpException">The link is over.</exception>
    public ValueTask WaitForCreditAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <summary>
    /// Sends a delivery. Waits for credit, session window and room in the write queue, in all at most the operation time-out;
    /// the payload was copied when it completes.
    /// </summary>
    /// <exception cref="AmqpException">The link is over, the message too large, or the wait too long.</exception>
    public ValueTask<OutgoingDelivery> TransferAsync(ReadOnlySequence<byte> payload, OutgoingTransfer transfer, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Sends a message and completes with the peer's outcome; then both sides have settled.</summary>
    /// <exception cref="AmqpException">The link is over, the message too large, or the outcome did not come in time.</exception>
    public ValueTask<DeliveryState> SendAsync(ReadOnlyMemory<byte> payload, uint messageFormat, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Uses up the remaining credit and answers the receiver's drain; does nothing when none was asked for.</summary>
    public void CompleteDrain()
    {
        CreditChanged?.Invoke();
        throw new NotSupportedException();
    }
}
