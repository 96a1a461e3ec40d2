// Without annotations, as in the package.
#nullable disable

namespace Azure.Messaging.EventHubs.Processor;

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public struct CheckpointPosition
{
    public static CheckpointPosition FromEvent(EventData eventData) => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public enum LoadBalancingStrategy
{
    Balanced = 0,
    Greedy = 1,
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public enum ProcessingStoppedReason
{
    OwnershipLost = 1,
}
