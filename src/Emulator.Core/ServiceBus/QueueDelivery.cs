using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A message as it is at the moment of one delivery.</summary>
/// <param name="Sequence">Its number in the queue.</param>
/// <param name="Enqueued">When it came into the queue.</param>
/// <param name="Content">What does not change between two deliveries.</param>
/// <param name="DeliveryCount">Deliveries that have failed before.</param>
/// <param name="State">Where it stands in the queue.</param>
/// <param name="IsDeferred">Whether it is received by its number only.</param>
/// <param name="WasScheduled">Whether it had to wait for its time.</param>
/// <param name="LockToken">Of the delivery.</param>
/// <param name="LockedUntil">When the lock ends.</param>
/// <param name="Expires">When it expires, by its own limit or the queue's. Null when it does not.</param>
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

    // Of a message that had to wait for its time, the service still says so when it is received.
    private int StateShown =>
        IsDeferred ? DeferredState
        : WasScheduled || State == MessageState.Scheduled ? ScheduledState
        : ActiveState;

    /// <summary>The delivery count is written even when it is 0: clients fail without it.</summary>
    /// <param name="withBody">False leaves the body out, for those who only look on.</param>
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

            // A deferred message comes in an answer, without the delivery tag that is the token elsewhere.
            DeliveryAnnotations = IsDeferred && State == MessageState.Locked ? new AmqpMap { { LockTokenName, LockToken } } : null,
            MessageAnnotations = Sections.Merge(sections.DecodeAnnotations(), service),
        };
        return Sections.Join(head.Encode(), PropertiesOf(sections), sections.ApplicationProperties, withBody ? sections.Body : default, sections.Footer);
    }

    // From the moment at which it was enqueued. The largest number stands for all that are larger.
    private uint MillisecondsOfLife => (uint)Math.Clamp((Expires!.Value - Enqueued).TotalMilliseconds, 0, uint.MaxValue);

    // A sender's time of expiry beyond the queue's limit would contradict the header. A life that the header cannot hold is between two times.
    private ReadOnlyMemory<byte> PropertiesOf(ContentSections sections)
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
