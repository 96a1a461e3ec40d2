using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.EventHubs;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;

namespace EventHubThroughput.Clients.Azure.Checkpoints;

/// <summary>One consumer group of one event hub, as the package names it in every call of a checkpoint store.</summary>
/// <param name="FullyQualifiedNamespace">The namespace's host.</param>
/// <param name="EventHub">The event hub.</param>
/// <param name="ConsumerGroup">The consumer group.</param>
internal sealed record CheckpointGroup(string FullyQualifiedNamespace, string EventHub, string ConsumerGroup)
{
    /// <summary>Refuses calls for another group, whose blobs the store would mix with its own. Case does not matter: the layout has none.</summary>
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

    /// <summary>A stored checkpoint in the package's terms. The sequence number decides if it is known: official processors store "no offset".</summary>
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
