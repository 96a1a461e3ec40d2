namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>Where a partition stands. An empty one has -1 for numbers, "-1" for the offset and 1970 for the time.</summary>
internal readonly record struct PartitionState(long FirstSequence, long LastSequence, string LastOffset, long LastEnqueuedMilliseconds)
{
    public static PartitionState Empty { get; } = new(-1, -1, "-1", 0);

    public bool IsEmpty => LastSequence < 0;
}
