using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The entities that only one cell uses: a consumer group, a queue or a topic with one subscription, and containers.</summary>
/// <param name="Group">The consumer group.</param>
/// <param name="Messages">The queue or topic.</param>
/// <param name="Subscription">The subscription of a topic. Null for a queue.</param>
/// <param name="Archive">The container of blobs.</param>
/// <param name="Checkpoints">The container of checkpoints.</param>
/// <param name="DeadLetters">The container of dead letters.</param>
internal sealed record CellEntities(string Group, string Messages, string? Subscription, string Archive, string Checkpoints, string DeadLetters)
{
    /// <summary>The containers.</summary>
    public IReadOnlyList<string> Containers => [Archive, Checkpoints, DeadLetters];

    private string? Queue => Subscription is null ? Messages : null;

    private string? Topic => Subscription is null ? null : Messages;

    /// <summary>The settings of a consumer that uses them.</summary>
    public MessagingSettings Of(MessagingSettings common, CellHub hub) =>
        common with
        {
            EventHubName = hub.Name,
            ConsumerGroup = Group,
            Queue = Queue,
            Topic = Topic,
            ArchiveContainer = Archive,
            CheckpointContainer = Checkpoints,
            DeadLetterContainer = DeadLetters,
        };

    /// <summary>The same as environment variables. A blank one counts as not set.</summary>
    public IReadOnlyDictionary<string, string> Of(IReadOnlyDictionary<string, string> common, CellHub hub) =>
        new Dictionary<string, string>(common, StringComparer.Ordinal)
        {
            ["EVENTHUB_NAME"] = hub.Name,
            ["EVENTHUB_CONSUMER_GROUP"] = Group,
            ["SERVICEBUS_QUEUE"] = Queue ?? "",
            ["SERVICEBUS_TOPIC"] = Topic ?? "",
            ["STORAGE_CONTAINER"] = Archive,
            ["CHECKPOINT_CONTAINER"] = Checkpoints,
            ["DEADLETTER_CONTAINER"] = DeadLetters,
        };
}
