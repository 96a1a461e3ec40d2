namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>What came of appending events to a partition.</summary>
internal enum AppendVerdict
{
    Appended,

    /// <summary>The memory that all entities share does not allow it.</summary>
    OverMemory,

    /// <summary>The hub was deleted meanwhile.</summary>
    Deleted,
}
