using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>A hub: its partitions, its consumer groups and their readers.</summary>
internal sealed class EventHub : IDisposable
{
    public const string DefaultGroup = "$Default";

    private readonly ConcurrentDictionary<(string Group, string Partition), PartitionReaders> _rosters = new();
    private readonly CancellationTokenSource _deletion = new();
    private readonly Lock _gate = new();
    private readonly EntityLog? _log;
    private int _turn = -1;

    // Replaced as a whole under the gate, read without it.
    private volatile HubSettings _settings;
    private volatile FrozenSet<string> _groups;

    private EventHub(HubSettings settings, DateTimeOffset createdAt, EntityLog? log, IReadOnlyList<PartitionLog> partitions)
    {
        _settings = settings;
        _groups = GetGroups(settings);
        _log = log;
        CreatedAt = createdAt;
        Partitions = partitions;
        Deleted = _deletion.Token;
    }

    public string Name => _settings.Name;

    /// <summary>The settings of its creation, with the consumer groups that were added later.</summary>
    public HubSettings Settings => _settings;

    public DateTimeOffset CreatedAt { get; }

    public IReadOnlyList<PartitionLog> Partitions { get; }

    /// <summary>Cancelled when the hub is deleted, which ends its links.</summary>
    public CancellationToken Deleted { get; }

    /// <exception cref="IOException">The hub could not be written.</exception>
    /// <exception cref="EmulatorException">Its log could not be opened.</exception>
    public static EventHub Create(HubSettings settings, MemoryBudget budget, TimeProvider clock, DataDirectory? data = null, EmulatorJournal? journal = null)
    {
        var createdAt = clock.GetUtcNow();
        settings = settings with { ConsumerGroups = [.. settings.ConsumerGroups.Prepend(DefaultGroup).Distinct(StringComparer.OrdinalIgnoreCase)] };
        var log = data?.OpenLog(HubRecord.Kind, settings.Name, static _ => throw new InvalidDataException("a hub of that name was not removed completely"));
        try
        {
            if (log is not null)
            {
                HubRecord.WriteCreated(log, settings, createdAt);

                // Forced to the disk before any event is. After a failure of the machine there must not be events without a description.
                log.Synchronise();
            }
        }
        catch
        {
            // The caller can try again.
            data!.DeleteLog(HubRecord.Kind, settings.Name);
            throw;
        }

        return new EventHub(settings, createdAt, log, [.. GetPartitions(settings, budget, clock, data, null, journal)]);
    }

    /// <summary>Restores a hub from its logs. Null when its creation was never completed, and the rest is deleted.</summary>
    /// <exception cref="EmulatorException">A log is damaged or cannot be read.</exception>
    public static EventHub? Recover(
        string name,
        MemoryBudget budget,
        TimeProvider clock,
        DataDirectory data,
        ILookup<string, long> segments,
        EmulatorJournal? journal = null
    )
    {
        HubRecord? found = null;
        var log = data.OpenLog(
            HubRecord.Kind,
            name,
            record => HubRecord.Replay(record, ref found),
            _ =>
            {
                // Events are written after the description. Events without one are deleted.
                if (found is null && segments.Any(partition => PartitionFiles.IsOf(partition.Key, name)))
                {
                    throw new InvalidDataException("the hub's description is damaged, and its events exist");
                }
            }
        );
        if (found is null)
        {
            data.DeleteLog(HubRecord.Kind, name);
            return null;
        }

        data.ExpectNamed(HubRecord.Kind, name, found.Settings.Name);
        return new EventHub(found.Settings, found.CreatedAt, log, [.. GetPartitions(found.Settings, budget, clock, data, segments, journal)]);
    }

    public bool HasGroup(string group) => _groups.Contains(group);

    /// <summary>Adds a consumer group. Returns false when it exists.</summary>
    /// <exception cref="IOException">The group could not be written.</exception>
    public bool AddGroup(string group)
    {
        lock (_gate)
        {
            if (_groups.Contains(group))
            {
                return false;
            }

            if (_log is not null)
            {
                HubRecord.WriteGroup(_log, group);
            }

            _settings = _settings with { ConsumerGroups = [.. _settings.ConsumerGroups, group] };
            _groups = GetGroups(_settings);
            return true;
        }
    }

    /// <summary>Null when there is no such partition. "01" does not name partition 1.</summary>
    public PartitionLog? FindPartition(string? id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var index) && index < Partitions.Count && Partitions[index].Id == id
            ? Partitions[index]
            : null;

    /// <summary>The partition of a batch: by the hash of its key, or the next in turn when it has none.</summary>
    public PartitionLog Route(string? partitionKey) =>
        partitionKey is null
            ? Partitions[(int)((uint)Interlocked.Increment(ref _turn) % (uint)Partitions.Count)]
            : Partitions[PartitionKeyHash.PartitionOf(partitionKey, Partitions.Count)];

    public PartitionReaders GetReaders(string group, string partition) =>
        _rosters.GetOrAdd((group.ToUpperInvariant(), partition), static _ => new PartitionReaders());

    /// <summary>Deletes events that are older than the retention time.</summary>
    public void Expire()
    {
        foreach (var partition in Partitions)
        {
            partition.Expire();
        }
    }

    /// <summary>Deletes all events. No event can be appended any more, even when files could not be removed.</summary>
    /// <returns>The failure. Null when the files are removed.</returns>
    public Exception? Delete()
    {
        Exception? refusal = null;
        foreach (var partition in Partitions)
        {
            try
            {
                partition.Delete();
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                refusal = exception;
            }
        }

        return refusal;
    }

    /// <summary>Ends the links of a hub that was deleted.</summary>
    public void EndLinks() => _deletion.Cancel();

    public void Dispose() => _deletion.Dispose();

    private static FrozenSet<string> GetGroups(HubSettings settings) => settings.ConsumerGroups.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    private static IEnumerable<PartitionLog> GetPartitions(
        HubSettings settings,
        MemoryBudget budget,
        TimeProvider clock,
        DataDirectory? data,
        ILookup<string, long>? segments,
        EmulatorJournal? journal
    )
    {
        for (var index = 0; index < settings.Partitions; index++)
        {
            var id = index.ToString(CultureInfo.InvariantCulture);
            var name = $"{settings.Name.ToLowerInvariant()}/{id}";
            var files = data is null ? null : new PartitionFiles(data, name, segments?[name] ?? [], settings.RetentionBytes);
            yield return new PartitionLog(
                id,
                settings,
                budget,
                clock,
                files,
                journal is null ? null : (first, next) => journal.TryExpire(settings.Name, id, first, next)
            );
        }
    }
}
