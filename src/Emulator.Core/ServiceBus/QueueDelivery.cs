using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A message at the time of one delivery.</summary>
/// <param name="Sequence">Its sequence number in the queue.</param>
/// <param name="Enqueued">When it was enqueued.</param>
/// <param name="Content">The part that does not change between deliveries.</param>
/// <param name="DeliveryCount">Earlier deliveries that have failed.</param>
/// <param name="State">Its state in the queue.</param>
/// <param name="IsDeferred">Whether it can be received only by its number.</param>
/// <param name="WasScheduled">Whether it was scheduled.</param>
/// <param name="LockToken">The lock token of the delivery.</param>
/// <param name="LockedUntil">When the lock ends.</param>
/// <param name="Expires">When it expires, by its limit or that of the queue. Null when it does not.</param>
internal sealed record QueueDelivery(
    long Sequence,
    DateTimeOffset Enqueued,
    MessageContent Content,
    int DeliveryCount,
    MessageState State,
    bool IsDeferred,
    bool WasScheduled,
    Guid LockToken,
    DateTimeOffset LockedUntil,
    DateTimeOffset? Expires
)
{
    private const int ActiveState = 0;
    private const int DeferredState = 1;
    private const int ScheduledState = 2;

    private static readonly AmqpSymbol EnqueuedTime = AmqpNames.EnqueuedTime;
    private static readonly AmqpSymbol SequenceNumber = AmqpNames.SequenceNumber;
    private static readonly AmqpSymbol MessageStateName = AmqpNames.MessageState;
    private static readonly AmqpSymbol LockedUntilName = AmqpNames.LockedUntil;
    private static readonly AmqpSymbol LockTokenName = AmqpNames.LockToken;

    // The service still shows a scheduled message as scheduled when it is received.
    private int StateShown =>
        IsDeferred ? DeferredState
        : WasScheduled || State == MessageState.Scheduled ? ScheduledState
        : ActiveState;

    /// <summary>Writes the delivery count even when it is 0, because clients fail without it.</summary>
    /// <param name="withBody">False omits the body, for a peek.</param>
    public byte[] Encode(bool withBody = true)
    {
        var service = new AmqpMap
        {
            { EnqueuedTime, AmqpTimestamp.From(Enqueued) },
            { SequenceNumber, Sequence },
            { MessageStateName, StateShown },
        };
        if (State == MessageState.Locked)
        {
            service.Add(LockedUntilName, AmqpTimestamp.From(LockedUntil));
        }

        var sections = Content.Sections;
        var header = sections.DecodeHeader() ?? new MessageHeader();
        var head = new AmqpMessage
        {
            Header = header with { DeliveryCount = (uint)DeliveryCount, Ttl = Expires is null ? header.Ttl : MillisecondsOfLife },

            // A deferred message is part of an answer, without the delivery tag that is the token of other messages.
            DeliveryAnnotations = IsDeferred && State == MessageState.Locked ? new AmqpMap { { LockTokenName, LockToken } } : null,
            MessageAnnotations = Sections.Merge(sections.DecodeAnnotations(), service),
        };
        return Sections.Join(head.Encode(), GetProperties(sections), sections.ApplicationProperties, withBody ? sections.Body : default, sections.Footer);
    }

    // From the time at which it was enqueued. The largest number represents all larger values.
    private uint MillisecondsOfLife => (uint)Math.Clamp((Expires!.Value - Enqueued).TotalMilliseconds, 0, uint.MaxValue);

    // An expiry time of the sender beyond the limit of the queue would contradict the header. A life that the header cannot hold is given by creation and expiry time.
    private ReadOnlyMemory<byte> GetProperties(ContentSections sections)
    {
        var isTooLong = Content.AbsoluteExpiry > Expires && Content.ExpiryFrom(Enqueued, limit: null) > Expires;
        var isOnlyHere = Expires is not null && Content.AbsoluteExpiry is null && MillisecondsOfLife == uint.MaxValue;
        if (!isTooLong && !isOnlyHere)
        {
            return sections.Properties;
        }

        var properties = sections.DecodeProperties() ?? new MessageProperties();
        return Sections.OfProperties(
            properties with
            {
                AbsoluteExpiryTime = AmqpTimestamp.From(Expires!.Value),
                CreationTime = isOnlyHere ? AmqpTimestamp.From(Enqueued) : properties.CreationTime,
            }
        );
    }
}
