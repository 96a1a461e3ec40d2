namespace EventHubThroughput.Emulator.Entities;

/// <summary>A topic with the settings of its creator. Every subscription receives every message.</summary>
public sealed record TopicSettings(string Name)
{
    public TimeSpan? TimeToLive { get; init; }

    public TimeSpan? DuplicateDetection { get; init; }

    internal EntityMetadata Notes { get; init; } = EntityMetadata.None;

    /// <summary>The subscriptions, named without their topic. Duplicate detection is a setting of the topic.</summary>
    public IReadOnlyList<QueueSettings> Subscriptions { get; init; } = [];
}
