using EventHubThroughput.Journal;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>
/// Which names a journal speaks of, and how far each consumer group is stored to be. Read once before the verdict, which must be told
/// whom it judges.
/// </summary>
internal sealed class JournalSurvey
{
    private const string RunProperty = "eht-run";

    private readonly SortedSet<string> groups = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedSet<string> entities = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedSet<string> checkpointContainers = new(StringComparer.Ordinal);

    // Containers of blobs, and whether each blob stored there had the reason that makes it a dead letter.
    private readonly SortedDictionary<string, bool> containers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (long Sequence, string Offset)> ends = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Container, string Group, string Partition), CheckpointWritten> checkpoints = [];

    private JournalSurvey() { }

    public IReadOnlyCollection<string> Groups => groups;

    public IReadOnlyCollection<string> Entities => entities;

    public IReadOnlyCollection<string> CheckpointContainers => checkpointContainers;

    public IReadOnlyCollection<string> Archives => [.. containers.Where(container => !container.Value).Select(container => container.Key)];

    public IReadOnlyCollection<string> DeadLetters => [.. containers.Where(container => container.Value).Select(container => container.Key)];

    /// <summary>Appended events of the run.</summary>
    public long Events { get; private set; }

    /// <param name="journal">The journal.</param>
    /// <param name="hub">The hub that is judged; others do not count.</param>
    /// <param name="run">The run that is judged; null for all.</param>
    /// <exception cref="JournalFormatException">The journal is damaged.</exception>
    public static JournalSurvey Of(JournalFile journal, string hub, string? run)
    {
        var survey = new JournalSurvey();
        foreach (var record in journal.Records)
        {
            survey.Observe(record, hub, run);
        }

        return survey;
    }

    /// <summary>Where the group's stored position has not reached the run's last event, in words; nothing when the run is through.</summary>
    public IEnumerable<string> Unfinished(string container, string group) =>
        ends.OrderBy(end => end.Key, StringComparer.Ordinal)
            .Select(end => (Partition: end.Key, End: end.Value, Stored: checkpoints.GetValueOrDefault((container, group.ToUpperInvariant(), end.Key))))
            .Where(row => !HasReached(row.Stored, row.End))
            .Select(row => $"partition {row.Partition}: the last event of the run is {row.End.Sequence}, {Describe(row.Stored)}");

    private void Observe(JournalRecord record, string hub, string? run)
    {
        switch (record)
        {
            case EventAppended appended when Same(appended.Hub, hub) && (run is null || appended.Properties?.GetValueOrDefault(RunProperty) == run):
                Events++;
                ends[appended.Partition] = (appended.Sequence, appended.Offset);
                break;
            case EventDelivered delivered when Same(delivered.Hub, hub):
                groups.Add(delivered.Group);
                break;
            case MessageWritten { Moment: WriteMoment.Stored } message:
                entities.Add(message.Entity);
                break;
            case BlobWritten { Moment: WriteMoment.Stored } blob:
                containers[blob.Container] = containers.GetValueOrDefault(blob.Container, true) && HasReason(blob);
                break;
            case CheckpointWritten { Moment: WriteMoment.Stored } checkpoint when Same(checkpoint.Hub, hub):
                groups.Add(checkpoint.Group);
                checkpointContainers.Add(checkpoint.Container);
                checkpoints[(checkpoint.Container, checkpoint.Group.ToUpperInvariant(), checkpoint.Partition)] = checkpoint;
                break;
            default:
                break;
        }
    }

    private static bool HasReached(CheckpointWritten? stored, (long Sequence, string Offset) end) =>
        stored is not null
        && (
            long.TryParse(stored.Sequence, System.Globalization.CultureInfo.InvariantCulture, out var sequence) && sequence >= 0
                ? sequence >= end.Sequence
                : stored.Offset == end.Offset
        );

    private static string Describe(CheckpointWritten? stored) =>
        stored is null ? "and it has no checkpoint" : $"its checkpoint {stored.Sequence ?? stored.Offset}";

    private static bool HasReason(BlobWritten blob) =>
        blob.Metadata?.Any(entry => entry.Key.Equals("reason", StringComparison.OrdinalIgnoreCase) && entry.Value.Length > 0) == true;

    private static bool Same(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
}
