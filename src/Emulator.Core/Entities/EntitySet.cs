namespace EventHubThroughput.Emulator.Entities;

/// <summary>Everything that an emulator holds, as its creator wants it.</summary>
public sealed record EntitySet
{
    /// <summary>What there is when nothing was asked for. The first three containers are archive, checkpoints and dead letters.</summary>
    public static EntitySet Default { get; } =
        new()
        {
            Hubs = [new HubSettings("hub")],
            Queues = [new QueueSettings("queue")],
            Containers = ["archive", "checkpoints", "deadletters"],
        };

    public IReadOnlyList<HubSettings> Hubs { get; init; } = [];

    public IReadOnlyList<QueueSettings> Queues { get; init; } = [];

    public IReadOnlyList<TopicSettings> Topics { get; init; } = [];

    public IReadOnlyList<string> Containers { get; init; } = [];
}
