namespace EventHubThroughput.Journal;

/// <summary>The last stored item of each place in a journal. Later items are unknown to it.</summary>
public sealed class LastStored
{
    private readonly Dictionary<(string Hub, string Partition), long> events = [];
    private readonly Dictionary<string, long> arrivals = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> versions = new(StringComparer.Ordinal);

    /// <summary>That of an empty journal.</summary>
    public static LastStored Nothing { get; } = new();

    /// <summary>The highest number of a message. 0 when there is no record of any.</summary>
    public long LastArrival { get; private set; }

    /// <summary>The sequence number of a partition's last event. Null when there is no record of any.</summary>
    public long? GetEvent(string hub, string partition) => events.TryGetValue((hub, partition), out var sequence) ? sequence : null;

    /// <summary>The number of the last message of a queue or topic. 0 when there is no record of any.</summary>
    public long GetArrival(string entity) => arrivals.GetValueOrDefault(entity);

    /// <summary>The last stored version in a container, of any blob. Null when there is no record of any.</summary>
    public string? GetETag(string container) => versions.GetValueOrDefault(container);

    /// <summary>The last version of every container with a record, even if it no longer exists.</summary>
    public IEnumerable<string> ETags => versions.Values;

    internal void Note(JournalRecord record)
    {
        switch (record)
        {
            case EventAppended appended:
                events[(appended.Hub, appended.Partition)] = appended.Sequence;
                break;
            case MessageWritten { Moment: WriteMoment.Stored, Arrival: { } arrival } message:
                arrivals[message.Entity] = arrival;
                LastArrival = Math.Max(LastArrival, arrival);
                break;
            case BlobWritten { Moment: WriteMoment.Stored, ETag: { } etag } blob:
                versions[blob.Container] = etag;
                break;
            case CheckpointWritten { Moment: WriteMoment.Stored, ETag: { } etag } checkpoint:
                versions[checkpoint.Container] = etag;
                break;
            case OwnershipWritten { ETag: { } etag } ownership:
                versions[ownership.Container] = etag;
                break;
            default:
                break;
        }
    }
}
