using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>A hub: its partitions and who reads them.</summary>
internal sealed class EventHub
{
    private readonly ConcurrentDictionary<(string Group, string Partition), ReaderRoster> _rosters = new();
    private readonly HashSet<string> _groups;
    private int _turn = -1;

    public EventHub(string name, int partitions, IEnumerable<string> consumerGroups, MemoryBudget budget, TimeProvider clock)
    {
        Name = name;
        CreatedAt = clock.GetUtcNow();
        Partitions = [.. Enumerable.Range(0, partitions).Select(
            index => new PartitionLog(index.ToString(CultureInfo.InvariantCulture), budget, clock))];
        _groups = new HashSet<string>(consumerGroups, StringComparer.OrdinalIgnoreCase);
    }

    public string Name { get; }

    public DateTimeOffset CreatedAt { get; }

    public IReadOnlyList<PartitionLog> Partitions { get; }

    public bool HasGroup(string group) => _groups.Contains(group);

    /// <summary>Null when there is no such partition; "01" is no name of partition 1.</summary>
    public PartitionLog? FindPartition(string? id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var index) && index < Partitions.Count && Partitions[index].Id == id
            ? Partitions[index]
            : null;

    /// <summary>The partition of a batch: by its key's hash, or the next in turn when it has none.</summary>
    public PartitionLog Route(string? partitionKey) => partitionKey is null
        ? Partitions[(int)((uint)Interlocked.Increment(ref _turn) % (uint)Partitions.Count)]
        : Partitions[PartitionKeyHash.PartitionOf(partitionKey, Partitions.Count)];

    public ReaderRoster Roster(string group, string partition) =>
        _rosters.GetOrAdd((group.ToUpperInvariant(), partition), static _ => new ReaderRoster());
}
