using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The names of a cell's separate entities on the shared emulator: a consumer group, a queue and containers.</summary>
/// <param name="Comparison">The name of the comparison.</param>
/// <param name="Number">The cell, from 0.</param>
internal sealed record CellNames(string Comparison, int Number)
{
    /// <summary>The run of a search, from 0, of which a cell has many. Null where it has one.</summary>
    public int? Search { get; init; }

    /// <summary>The name of the run.</summary>
    public string Run => Search is { } run ? $"{Comparison}-{Number}-{run}" : $"{Comparison}-{Number}";

    public string Group => GetGroup(Number);

    public string Queue => $"queue-{Run}";

    public string Archive => $"archive-{Run}";

    public string Checkpoints => $"checkpoints-{Run}";

    public string DeadLetters => $"deadletters-{Run}";

    public IReadOnlyList<string> Containers => [Archive, Checkpoints, DeadLetters];

    /// <summary>The group of a cell. The hub has those of all cells from its beginning on.</summary>
    public static string GetGroup(int number) => $"cell-{number}";

    /// <summary>The settings of its consumer.</summary>
    public MessagingSettings Of(MessagingSettings common, CellHub hub) =>
        common with
        {
            EventHubName = hub.Name,
            ConsumerGroup = Group,
            Queue = Queue,
            ArchiveContainer = Archive,
            CheckpointContainer = Checkpoints,
            DeadLetterContainer = DeadLetters,
        };

    /// <summary>The same as environment variables.</summary>
    public IReadOnlyDictionary<string, string> Of(IReadOnlyDictionary<string, string> common, CellHub hub) =>
        new Dictionary<string, string>(common, StringComparer.Ordinal)
        {
            ["EVENTHUB_NAME"] = hub.Name,
            ["EVENTHUB_CONSUMER_GROUP"] = Group,
            ["SERVICEBUS_QUEUE"] = Queue,
            ["STORAGE_CONTAINER"] = Archive,
            ["CHECKPOINT_CONTAINER"] = Checkpoints,
            ["DEADLETTER_CONTAINER"] = DeadLetters,
        };
}
