using EventHubThroughput.Journal;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>The names in a journal. It is read once before the verdict, which needs the names that it judges.</summary>
internal sealed class JournalSurvey
{
    private readonly SortedSet<string> groups = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedSet<string> entities = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedSet<string> checkpointContainers = new(StringComparer.Ordinal);

    // Containers of blobs, and whether each blob stored there had the reason that makes it a dead letter.
    private readonly SortedDictionary<string, bool> containers = new(StringComparer.Ordinal);

    private JournalSurvey() { }

    public IReadOnlyCollection<string> Groups => groups;

    public IReadOnlyCollection<string> Entities => entities;

    public IReadOnlyCollection<string> CheckpointContainers => checkpointContainers;

    public IReadOnlyCollection<string> Archives => [.. containers.Where(container => !container.Value).Select(container => container.Key)];

    public IReadOnlyCollection<string> DeadLetters => [.. containers.Where(container => container.Value).Select(container => container.Key)];

    /// <param name="journal">The journal.</param>
    /// <param name="hub">The hub that is judged. Others do not count.</param>
    /// <exception cref="JournalFormatException">The journal is damaged.</exception>
    public static JournalSurvey Of(JournalFile journal, string hub)
    {
        var survey = new JournalSurvey();
        foreach (var record in journal.Records)
        {
            survey.Observe(record, hub);
        }

        return survey;
    }

    private void Observe(JournalRecord record, string hub)
    {
        switch (record)
        {
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
                break;
            default:
                break;
        }
    }

    private static bool HasReason(BlobWritten blob) =>
        blob.Metadata?.Any(entry => entry.Key.Equals("reason", StringComparison.OrdinalIgnoreCase) && entry.Value.Length > 0) == true;

    private static bool Same(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
}
