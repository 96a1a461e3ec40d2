namespace EventHubThroughput.Clients.EventHubs;

/// <summary>A position in a partition.</summary>
/// <param name="SequenceNumber">The last event that is complete. <see cref="UnknownSequenceNumber"/> when only the offset is known.</param>
/// <param name="Offset">Its offset. Null when only the sequence number is known.</param>
public readonly record struct EventPosition(long SequenceNumber, string? Offset)
{
    /// <summary>The sequence number of a position that another client stored with only its offset.</summary>
    public const long UnknownSequenceNumber = -1;
}

/// <summary>A stored checkpoint.</summary>
/// <param name="PartitionId">The partition.</param>
/// <param name="Position">The stored position.</param>
/// <param name="ClientId">The identifier of the writer, if known.</param>
/// <param name="ETag">The version that was read or written.</param>
public sealed record Checkpoint(string PartitionId, EventPosition Position, string? ClientId, string ETag);
