using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.EventHubs;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;

namespace EventHubThroughput.Clients.Azure.Checkpoints;

/// <summary>A consumer group of an event hub, in the form of every call of the package's checkpoint store.</summary>
/// <param name="FullyQualifiedNamespace">The namespace's host.</param>
/// <param name="EventHub">The event hub.</param>
/// <param name="ConsumerGroup">The consumer group.</param>
internal sealed record CheckpointGroup(string FullyQualifiedNamespace, string EventHub, string ConsumerGroup)
{
    /// <summary>
    /// Refuses calls for another group, whose blobs the store would mix with its own. Case does not matter, because the layout is in lower case.
    /// </summary>
    /// <exception cref="ArgumentException">The call names another namespace, event hub or consumer group.</exception>
    public void Require(string fullyQualifiedNamespace, string eventHub, string consumerGroup)
    {
        if (!Same(fullyQualifiedNamespace, FullyQualifiedNamespace) || !Same(eventHub, EventHub) || !Same(consumerGroup, ConsumerGroup))
        {
            throw new ArgumentException(
                $"the checkpoint store serves '{FullyQualifiedNamespace}/{EventHub}/{ConsumerGroup}', not '{fullyQualifiedNamespace}/{eventHub}/{consumerGroup}'",
                nameof(consumerGroup)
            );
        }
    }

    /// <summary>A stored checkpoint as a type of the package. The sequence number decides if it is known: official processors store "no offset".</summary>
    public EventProcessorCheckpoint ToSdk(Checkpoint stored) =>
        stored.Position.SequenceNumber == EventPosition.UnknownSequenceNumber
            ? StartingAt(stored.PartitionId, SdkPosition.FromOffset(stored.Position.Offset, isInclusive: false))
            : StartingAfter(stored.PartitionId, stored.Position.SequenceNumber);

    /// <summary>A checkpoint that was never stored: reading starts after a sequence number.</summary>
    public EventProcessorCheckpoint StartingAfter(string partitionId, long sequenceNumber) =>
        StartingAt(partitionId, SdkPosition.FromSequenceNumber(sequenceNumber, isInclusive: false));

    private EventProcessorCheckpoint StartingAt(string partitionId, SdkPosition position) =>
        new()
        {
            FullyQualifiedNamespace = FullyQualifiedNamespace,
            EventHubName = EventHub,
            ConsumerGroup = ConsumerGroup,
            PartitionId = partitionId,
            StartingPosition = position,
        };

    private static bool Same(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
}
