namespace EventHubThroughput.Emulator.Entities;

/// <summary>A topic as its creator wants it. Every subscription gets every message.</summary>
public sealed record TopicSettings(string Name)
{
    public TimeSpan? TimeToLive { get; init; }

    public TimeSpan? DuplicateDetection { get; init; }

    internal EntityMetadata Notes { get; init; } = EntityMetadata.None;

    /// <summary>Named without their topic. Duplicate detection is the topic's, never theirs.</summary>
    public IReadOnlyList<QueueSettings> Subscriptions { get; init; } = [];
}
