namespace EventHubThroughput.Journal;

/// <summary>What a journal tells last of each place where something is stored: what was stored later, it has not heard of.</summary>
public sealed class LastStored
{
    private readonly Dictionary<(string Hub, string Partition), long> events = [];
    private readonly Dictionary<string, long> arrivals = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> versions = new(StringComparer.Ordinal);

    /// <summary>Of a journal that tells of nothing.</summary>
    public static LastStored Nothing { get; } = new();

    /// <summary>The number of the newest message of all. 0 when there is no record of any.</summary>
    public long LastArrival { get; private set; }

    /// <summary>The sequence number of a partition's last event. Null when there is no record of any.</summary>
    public long? EventOf(string hub, string partition) => events.TryGetValue((hub, partition), out var sequence) ? sequence : null;

    /// <summary>The number of the last message that a queue or topic took in. 0 when there is no record of any.</summary>
    public long ArrivalOf(string entity) => arrivals.GetValueOrDefault(entity);

    /// <summary>The version that was stored last in a container, whatever the blob. Null when there is no record of any.</summary>
    public string? ETagOf(string container) => versions.GetValueOrDefault(container);

    /// <summary>That of every container of which there is a record, whether it still exists or not.</summary>
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
