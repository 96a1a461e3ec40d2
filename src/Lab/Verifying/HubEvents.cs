using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>
/// The events of a hub after given positions, in a journal. Each event is read once: a later reading reads only what was appended since. So several cells that
/// read the same events cost one reading.
/// </summary>
/// <param name="path">The journal.</param>
/// <param name="starts">The last event before the run in each partition. Partitions that it does not name are read from their beginning.</param>
internal sealed class HubEvents(string path, IReadOnlyDictionary<string, EventPosition> starts)
{
    private readonly Dictionary<string, long> read = new(StringComparer.Ordinal);

    /// <summary>The journal.</summary>
    public string Path => path;

    /// <summary>The number of events in it.</summary>
    public long Count { get; private set; }

    /// <summary>The position in front of the run. Null for a partition that is read from its beginning.</summary>
    public EventPosition? FindStart(string partitionId) => starts.TryGetValue(partitionId, out var start) ? start : null;

    /// <summary>The first sequence number of the run that a partition holds, or would hold next.</summary>
    public long GetBegin(PartitionProperties partition) =>
        Math.Max(GetStart(partition.PartitionId) + 1, partition.IsEmpty ? partition.LastSequenceNumber + 1 : partition.BeginSequenceNumber);

    /// <summary>Adds the events that are not in it.</summary>
    /// <param name="clients">The clients.</param>
    /// <param name="hub">The hub.</param>
    /// <param name="partitions">Its partitions. They are read to their last events.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public async Task ReadAsync(IMessagingClients clients, string hub, IReadOnlyList<PartitionProperties> partitions, CancellationToken cancellationToken)
    {
        using var journal = JournalWriter.Continue(path, TimeProvider.System);
        if (read.Count == 0)
        {
            journal.Write([.. partitions.Select(partition => (JournalRecord)new PartitionReadBack(hub, partition.PartitionId, GetBegin(partition)))]);
        }

        var reading = new HubReading(clients, hub, journal);
        foreach (var partition in partitions)
        {
            var after = read.GetValueOrDefault(partition.PartitionId, GetStart(partition.PartitionId));
            if (!partition.IsEmpty && partition.LastSequenceNumber > after)
            {
                (var count, after) = await reading.RunAsync(partition, after, cancellationToken);
                Count += count;
            }

            read[partition.PartitionId] = after;
        }
    }

    private long GetStart(string partitionId) => FindStart(partitionId)?.SequenceNumber ?? -1;
}
