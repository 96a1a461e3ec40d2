using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The hubs of an emulator. Names compare without case. With a data directory, hubs come back by themselves. Safe for several threads.</summary>
internal sealed class EventHubRegistry : IDisposable
{
    // Retention is met by every access. This is for the memory of partitions that nobody touches.
    private static readonly TimeSpan ExpiryPeriod = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly MemoryBudget _budget;
    private readonly TimeProvider _clock;
    private readonly DataDirectory? _data;
    private readonly int _limit;
    private readonly EmulatorJournal? _journal;
    private readonly ITimer _expiry;

    // Under the gate: deleted hubs some of whose files are still there. A new hub of the name must not meet them.
    private readonly HashSet<string> _leftOver = new(StringComparer.OrdinalIgnoreCase);

    // Replaced as a whole under the gate, read without it.
    private volatile Dictionary<string, EventHub> _hubs;

    /// <param name="budget">The memory of all entities.</param>
    /// <param name="clock">Enqueued times and retention.</param>
    /// <param name="data">Where hubs are kept. Null keeps them in memory only.</param>
    /// <param name="limit">Hubs at once.</param>
    /// <param name="journal">Told of events before retention takes them away.</param>
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

    /// <summary>What a hub that is asked for and not there is created as. Null refuses it. Without it, nothing is created on demand.</summary>
    public Func<string, HubSettings?>? OnDemand { get; init; }

    public IReadOnlyCollection<EventHub> All => _hubs.Values;

    /// <summary>Creates a hub. One that is there "exists" when partitions and retention are equal and it has the groups that are asked for.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
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

    /// <summary>Finds a hub, or creates it on demand. Null when it is not there.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
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

    /// <summary>Removes a hub with all that it holds. Its links are detached. False when there is none.</summary>
    /// <exception cref="IOException">Its files could not be removed. The hub is gone all the same, and its files at the next start.</exception>
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

            // The description first: whatever of a hub without one is left over is removed at the next start.
            _data?.DeleteLog(HubRecord.Kind, hub.Name);
            _hubs = _hubs.Where(entry => entry.Value != hub).ToDictionary(StringComparer.OrdinalIgnoreCase);

            // Under the gate: a new hub of the name must not meet the old one's files.
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
            // Fatal to an emulator that starts, not to one that runs.
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
        foreach (var name in _data.NamesOf(HubRecord.Kind))
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
