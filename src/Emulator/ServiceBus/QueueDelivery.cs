using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A message as it is at the moment of one delivery.</summary>
internal sealed record QueueDelivery(
    long Sequence,
    DateTimeOffset Enqueued,
    MessageContent Content,
    int DeliveryCount,
    MessageState State,
    bool IsDeferred,
    bool WasScheduled,
    Guid LockToken,
    DateTimeOffset LockedUntil
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
        var head = new AmqpMessage
        {
            Header = (sections.DecodeHeader() ?? new MessageHeader()) with { DeliveryCount = (uint)DeliveryCount },

            // A deferred message comes in an answer, without the delivery tag that is the token elsewhere.
            DeliveryAnnotations = IsDeferred && State == MessageState.Locked ? new AmqpMap { { LockTokenName, LockToken } } : null,
            MessageAnnotations = Sections.Merge(sections.DecodeAnnotations(), service),
        };
        return Sections.Join(head.Encode(), sections.Properties, sections.ApplicationProperties, withBody ? sections.Body : default, sections.Footer);
    }
}
