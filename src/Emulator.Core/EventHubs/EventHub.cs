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

    private readonly CancellationTokenSource _deletion = new();
    private readonly Lock _gate = new();
    private readonly HubSettings _settings;
    private readonly EntityLog? _log;
    private readonly TimeProvider _clock;
    private int _turn = -1;

    // Replaced as a whole under the gate, read without it.
    private volatile FrozenDictionary<string, ConsumerGroup> _groups;

    private EventHub(
        HubSettings settings,
        IEnumerable<ConsumerGroupSettings> groups,
        DateTimeOffset createdAt,
        EntityLog? log,
        TimeProvider clock,
        IReadOnlyList<PartitionLog> partitions
    )
    {
        _settings = settings;
        _groups = groups.ToFrozenDictionary(static group => group.Name, static group => new ConsumerGroup(group), StringComparer.OrdinalIgnoreCase);
        _log = log;
        _clock = clock;
        CreatedAt = createdAt;
        Partitions = partitions;
        Deleted = _deletion.Token;
    }

    public string Name => _settings.Name;

    /// <summary>The settings of its creation, with the consumer groups that it has now.</summary>
    public HubSettings Settings => _settings with { ConsumerGroups = [.. Groups.Select(static group => group.Name)] };

    /// <summary>The consumer groups in the order of their creation, the default one first.</summary>
    public IEnumerable<ConsumerGroup> Groups =>
        _groups
            .Values.OrderBy(static group => group.Name != DefaultGroup)
            .ThenBy(static group => group.Settings.CreatedAt)
            .ThenBy(static group => group.Name, StringComparer.OrdinalIgnoreCase);

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

        var groups = settings.ConsumerGroups.Select(name => new ConsumerGroupSettings(name, createdAt, createdAt));
        return new EventHub(settings, groups, createdAt, log, clock, [.. GetPartitions(settings, budget, clock, data, null, journal)]);
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
        var partitions = GetPartitions(found.Settings, budget, clock, data, segments, journal).ToList();
        return new EventHub(found.Settings, found.Groups, found.CreatedAt, log, clock, partitions);
    }

    public bool HasGroup(string group) => _groups.ContainsKey(group);

    /// <summary>Null when there is no such group.</summary>
    public ConsumerGroup? FindGroup(string name) => _groups.GetValueOrDefault(name);

    /// <summary>Creates a consumer group.</summary>
    /// <exception cref="IOException">The group could not be written.</exception>
    public CreateVerdict CreateGroup(string name, string? userMetadata = null)
    {
        lock (_gate)
        {
            if (_groups.ContainsKey(name))
            {
                return CreateVerdict.Exists;
            }

            if (_groups.Count >= HubSettings.MostGroups)
            {
                return CreateVerdict.TooMany;
            }

            var now = _clock.GetUtcNow();
            var created = new ConsumerGroupSettings(name, now, now, userMetadata);
            Write(created);
            _groups = _groups.Append(KeyValuePair.Create(name, new ConsumerGroup(created))).ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
            return CreateVerdict.Created;
        }
    }

    /// <summary>Changes the metadata of a consumer group. Returns false when there is no such group.</summary>
    /// <exception cref="IOException">The change could not be written.</exception>
    public bool ChangeGroup(string name, string? userMetadata)
    {
        lock (_gate)
        {
            if (FindGroup(name) is not { } group)
            {
                return false;
            }

            var changed = group.Settings with { ChangedAt = _clock.GetUtcNow(), UserMetadata = userMetadata };
            Write(changed);
            group.Change(changed);
            return true;
        }
    }

    /// <summary>Deletes a consumer group and ends the links of its readers. Returns false when there is no such group.</summary>
    /// <exception cref="IOException">The deletion could not be written.</exception>
    public bool DeleteGroup(string name)
    {
        ConsumerGroup? group;
        lock (_gate)
        {
            group = FindGroup(name);
            if (group is null)
            {
                return false;
            }

            if (_log is not null)
            {
                HubRecord.WriteDeletedGroup(_log, group.Name);
            }

            _groups = _groups.Where(one => one.Value != group).ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
        }

        group.EndLinks();
        return true;
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
    public void EndLinks()
    {
        _deletion.Cancel();
        foreach (var group in _groups.Values)
        {
            group.EndLinks();
        }
    }

    public void Dispose()
    {
        _deletion.Dispose();
        foreach (var group in _groups.Values)
        {
            group.Dispose();
        }
    }

    private void Write(ConsumerGroupSettings group)
    {
        if (_log is not null)
        {
            HubRecord.WriteGroup(_log, group);
        }
    }

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
