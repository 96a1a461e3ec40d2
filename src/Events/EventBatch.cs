namespace EventHubThroughput.Events;

/// <summary>Consecutive events of one partition, delivered together, in order of their sequence numbers. Never empty.</summary>
/// <param name="PartitionId">The partition that all the events belong to.</param>
/// <param name="Events">The events, lowest sequence number first.</param>
public sealed record EventBatch(string PartitionId, IReadOnlyList<ReceivedEvent> Events);
