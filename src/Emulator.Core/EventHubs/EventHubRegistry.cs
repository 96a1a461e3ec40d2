using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The hubs of an emulator. Names ignore case. With a data directory, hubs are restored automatically. Safe for several threads.</summary>
internal sealed class EventHubRegistry : IDisposable
{
    // Every access applies the retention. This timer frees the memory of partitions that are not accessed.
    private static readonly TimeSpan ExpiryPeriod = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly MemoryBudget _budget;
    private readonly TimeProvider _clock;
    private readonly DataDirectory? _data;
    private readonly int _limit;
    private readonly EmulatorJournal? _journal;
    private readonly ITimer _expiry;

    // Guarded by the gate: deleted hubs with remaining files. A new hub with the name must not use them.
    private readonly HashSet<string> _leftOver = new(StringComparer.OrdinalIgnoreCase);

    // Replaced as a whole under the gate, read without it.
    private volatile Dictionary<string, EventHub> _hubs;

    /// <param name="budget">The memory of all entities.</param>
    /// <param name="clock">The clock of enqueued times and retention.</param>
    /// <param name="data">The directory that keeps hubs. Null keeps them in memory only.</param>
    /// <param name="limit">The most hubs.</param>
    /// <param name="journal">Records events before retention deletes them.</param>
    /// <exception cref="EmulatorException">A log is damaged or cannot be read.</exception>
    public EventHubRegistry(MemoryBudget budget, TimeProvider clock, DataDirectory? data = null, int limit = 1_024, EmulatorJournal? journal = null)
    {
        _budget = budget;
        _clock = clock;
        _data = data;
        _limit = limit;
        _journal = journal;
        _hubs = new Dictionary<string, EventHub>(StringComparer.OrdinalIgnoreCase);
        foreach (var hub in Recover())
        {
            _hubs.Add(hub.Name, hub);
        }

        _expiry = clock.CreateTimer(static state => ((EventHubRegistry)state!).Expire(), this, ExpiryPeriod, ExpiryPeriod);
    }

    /// <summary>Returns the settings of a missing hub that is addressed. Null refuses it. Without this function, no hub is created on demand.</summary>
    public Func<string, HubSettings?>? OnDemand { get; init; }

    public IReadOnlyCollection<EventHub> All => _hubs.Values;

    /// <summary>Creates a hub. An existing one counts as equal if its partitions and retention are equal and it has the requested groups.</summary>
    /// <exception cref="IOException">The hub could not be written.</exception>
    public CreateVerdict Create(HubSettings settings)
    {
        lock (_gate)
        {
            if (_hubs.TryGetValue(settings.Name, out var found))
            {
                return IsLike(found, settings) ? CreateVerdict.Exists : CreateVerdict.Differs;
            }

            if (_hubs.Count >= _limit)
            {
                return CreateVerdict.TooMany;
            }

            var hub = Make(settings);
            _hubs = new Dictionary<string, EventHub>(_hubs, StringComparer.OrdinalIgnoreCase) { [hub.Name] = hub };
            return CreateVerdict.Created;
        }
    }

    /// <summary>Finds a hub that exists, and creates none.</summary>
    public EventHub? FindPresent(string name) => _hubs.GetValueOrDefault(name);

    /// <summary>Finds a hub, or creates it on demand. Null when it does not exist.</summary>
    /// <exception cref="IOException">The hub could not be written.</exception>
    public EventHub? Find(string name)
    {
        if (_hubs.TryGetValue(name, out var hub))
        {
            return hub;
        }

        if (OnDemand?.Invoke(name) is { } settings)
        {
            Create(settings);
        }

        return _hubs.GetValueOrDefault(name);
    }

    /// <summary>Removes a hub with its content and detaches its links. Returns false when it does not exist.</summary>
    /// <exception cref="IOException">Its files could not be removed. The hub is deleted nevertheless, and the next start removes its files.</exception>
    public bool Delete(string name)
    {
        EventHub? hub;
        Exception? refusal;
        lock (_gate)
        {
            if (!_hubs.TryGetValue(name, out hub))
            {
                return false;
            }

            // The description is deleted first. The next start removes the remaining files of a hub without one.
            _data?.DeleteLog(HubRecord.Kind, hub.Name);
            _hubs = _hubs.Where(entry => entry.Value != hub).ToDictionary(StringComparer.OrdinalIgnoreCase);

            // Under the gate: a new hub with the name must not use the files of the old one.
            refusal = hub.Delete();
            if (refusal is not null)
            {
                _leftOver.Add(hub.Name);
            }
        }

        hub.EndLinks();
        return refusal is null ? true : throw new IOException($"files of hub '{hub.Name}' could not be removed: {refusal.Message}", refusal);
    }

    public void Dispose()
    {
        _expiry.Dispose();
        foreach (var hub in _hubs.Values)
        {
            hub.Dispose();
        }
    }

    private EventHub Make(HubSettings settings)
    {
        try
        {
            if (_leftOver.Contains(settings.Name))
            {
                PartitionFiles.RemoveHub(_data!, settings.Name);
                _leftOver.Remove(settings.Name);
            }

            return EventHub.Create(settings, _budget, _clock, _data, _journal);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }
        catch (EmulatorException exception)
        {
            // This failure ends a start, but not a running emulator.
            throw new IOException(exception.Message, exception);
        }
    }

    private List<EventHub> Recover()
    {
        var hubs = new List<EventHub>();
        if (_data is null)
        {
            return hubs;
        }

        var segments = PartitionFiles.Find(_data);
        foreach (var name in _data.GetNames(HubRecord.Kind))
        {
            if (EventHub.Recover(name, _budget, _clock, _data, segments, _journal) is { } hub)
            {
                hubs.Add(hub);
            }
        }

        var known = hubs.SelectMany(static hub => hub.Partitions.Select(partition => $"{hub.Name.ToLowerInvariant()}/{partition.Id}"))
            .ToHashSet(StringComparer.Ordinal);
        foreach (var orphan in segments.Where(partition => !known.Contains(partition.Key)))
        {
            PartitionFiles.Remove(_data, orphan.Key, orphan);
        }

        return hubs;
    }

    private void Expire()
    {
        foreach (var hub in _hubs.Values)
        {
            hub.Expire();
        }
    }

    private static bool IsLike(EventHub hub, HubSettings asked) =>
        hub.Settings.Partitions == asked.Partitions
        && hub.Settings.RetentionTime == asked.RetentionTime
        && hub.Settings.RetentionBytes == asked.RetentionBytes
        && asked.ConsumerGroups.All(hub.HasGroup);
}
