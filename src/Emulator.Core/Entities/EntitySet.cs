namespace EventHubThroughput.Emulator.Entities;

/// <summary>All entities of an emulator, with the settings of their creator.</summary>
public sealed record EntitySet
{
    /// <summary>The entities when none are requested. The first three containers are archive, checkpoints and dead letters.</summary>
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
