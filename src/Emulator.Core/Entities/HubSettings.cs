namespace EventHubThroughput.Emulator.Entities;

/// <summary>An event hub with the settings of its creator.</summary>
public sealed record HubSettings(string Name)
{
    public const int LargestPartitions = 1_024;

    /// <summary>The most consumer groups of a hub.</summary>
    public const int MostGroups = 1_000;

    public int Partitions { get; init; } = 4;

    /// <summary>The default group is always one of them.</summary>
    public IReadOnlyList<string> ConsumerGroups { get; init; } = ["$Default"];

    /// <summary>Events older than this may be deleted. Null keeps them as long as the bytes allow.</summary>
    public TimeSpan? RetentionTime { get; init; }

    /// <summary>Bytes that one partition may hold before its oldest events are deleted. Null sets no separate limit.</summary>
    public long? RetentionBytes { get; init; }
}
