namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The properties of an event hub.</summary>
/// <param name="Name">The hub's name.</param>
/// <param name="CreatedAt">When it was created.</param>
/// <param name="PartitionIds">The identifiers of its partitions.</param>
public sealed record EventHubProperties(string Name, DateTimeOffset CreatedAt, IReadOnlyList<string> PartitionIds);

/// <summary>The properties of a partition.</summary>
/// <param name="PartitionId">The partition.</param>
/// <param name="BeginSequenceNumber">The lowest retained sequence number. -1 when empty.</param>
/// <param name="LastSequenceNumber">The highest appended sequence number. -1 when nothing was ever appended.</param>
/// <param name="LastOffset">The offset of the last event.</param>
/// <param name="IsEmpty">Whether it contains no event.</param>
public sealed record PartitionProperties(string PartitionId, long BeginSequenceNumber, long LastSequenceNumber, string LastOffset, bool IsEmpty);
