namespace EventHubThroughput.Journal;

/// <summary>What a journal tells last of each place where something is stored: what was stored later, it has not heard of.</summary>
public sealed class LastStored
{
    private readonly Dictionary<(string Hub, string Partition), long> events = [];

    /// <summary>The sequence number of a partition's last event; null when there is no record of any.</summary>
    public long? EventOf(string hub, string partition) => events.TryGetValue((hub, partition), out var sequence) ? sequence : null;

    internal void Note(JournalRecord record)
    {
        if (record is EventAppended appended)
        {
            events[(appended.Hub, appended.Partition)] = appended.Sequence;
        }
    }
}
