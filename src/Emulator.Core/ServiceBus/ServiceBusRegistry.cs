using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// The queues and topics of an emulator. Both share one set of names, which ignore case. With a data directory they are restored automatically. Safe for
/// several threads.
/// </summary>
internal sealed class ServiceBusRegistry : IDisposable
{
    private const string QueueKind = "queues";
    private const string TopicKind = "topics";

    private readonly Lock _gate = new();
    private readonly MemoryBudget _budget;
    private readonly TimeProvider _clock;
    private readonly DataDirectory? _data;
    private readonly int _limit;
    private readonly ArrivalNumbers _numbers;
    private readonly ILogger _log;
    private readonly IdleEntities _idle;

    // Replaced as a whole under the gate, read without it.
    private volatile Dictionary<string, Entity> _entities = new(StringComparer.OrdinalIgnoreCase);

    /// <param name="budget">The memory of all entities.</param>
    /// <param name="clock">The clock of all durations.</param>
    /// <param name="data">The directory that keeps them. Null keeps them in memory only.</param>
    /// <param name="limit">The most queues, topics and subscriptions.</param>
    /// <param name="numbers">The arrival numbers of messages.</param>
    /// <param name="log">The log of failures that are retried. May be null.</param>
    /// <exception cref="EmulatorException">A log is damaged or cannot be read.</exception>
    public ServiceBusRegistry(
        MemoryBudget budget,
        TimeProvider clock,
        DataDirectory? data = null,
        int limit = 1_024,
        ArrivalNumbers? numbers = null,
        ILogger? log = null
    )
    {
        _budget = budget;
        _clock = clock;
        _data = data;
        _limit = limit;
        _numbers = numbers ?? new ArrivalNumbers(recorded: null);
        _log = log ?? NullLogger.Instance;
        _idle = new IdleEntities(this, clock, _log);
        try
        {
            Recover();
            _idle.Look();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Returns the settings of a missing queue that is addressed. Null refuses it. Without this function, no queue is created on demand.</summary>
    public Func<string, QueueSettings?>? OnDemand { get; init; }

    /// <summary>Receives rules that could not be evaluated. Null without a journal.</summary>
    public Action<RulesNotEvaluated>? NotEvaluated { get; init; }

    /// <summary>All queues without subscriptions.</summary>
    public IReadOnlyList<MessageQueue> AllQueues => [.. _entities.Values.Select(static entity => entity.Queue).OfType<MessageQueue>()];

    public IReadOnlyList<Topic> AllTopics => [.. _entities.Values.Select(static entity => entity.Topic).OfType<Topic>()];

    public IReadOnlyList<QueueStatistics> Queues => [.. AllQueues.Select(static queue => queue.Statistics)];

    public IReadOnlyList<TopicStatistics> Topics => [.. AllTopics.Select(static topic => topic.Statistics)];

    private int Count => _entities.Count + _entities.Values.Sum(static entity => entity.Topic?.Subscriptions.Count ?? 0);

    /// <exception cref="IOException">The queue could not be written.</exception>
    public CreateVerdict CreateQueue(QueueSettings settings)
    {
        lock (_gate)
        {
            if (_entities.TryGetValue(settings.Name, out var found))
            {
                return found.Queue is { } queue && queue.Settings.IsLike(settings) ? CreateVerdict.Exists : CreateVerdict.Differs;
            }

            if (Count >= _limit)
            {
                return CreateVerdict.TooMany;
            }

            Add(Make(QueueKind, settings.Name, replay => replay.Describe(settings with { Notes = settings.Notes.Begun(_clock.GetUtcNow()) })));
            return CreateVerdict.Created;
        }
    }

    /// <summary>Creates a topic with its subscriptions. An existing topic gets the missing subscriptions.</summary>
    /// <exception cref="IOException">The topic could not be written.</exception>
    public CreateVerdict CreateTopic(TopicSettings settings)
    {
        lock (_gate)
        {
            var verdict = CreateVerdict.Exists;
            if (!_entities.TryGetValue(settings.Name, out var found))
            {
                if (Count + settings.Subscriptions.Count >= _limit)
                {
                    return CreateVerdict.TooMany;
                }

                Add(Make(TopicKind, settings.Name, replay => replay.Describe(settings with { Notes = settings.Notes.Begun(_clock.GetUtcNow()) })));
                verdict = CreateVerdict.Created;
            }
            else if (found.Topic is not { } topic || !topic.IsLike(settings))
            {
                return CreateVerdict.Differs;
            }

            foreach (var subscription in settings.Subscriptions)
            {
                if (CreateSubscription(settings.Name, subscription) is not (CreateVerdict.Created or CreateVerdict.Exists) and var problem)
                {
                    return problem;
                }
            }

            return verdict;
        }
    }

    /// <param name="topic">The name of the topic.</param>
    /// <param name="settings">The settings of the subscription, named without the topic.</param>
    /// <param name="begin">Sets other rules of a new subscription before it receives any message. If that fails, none is created.</param>
    /// <exception cref="IOException">The subscription could not be written.</exception>
    public CreateVerdict CreateSubscription(string topic, QueueSettings settings, Action<Subscription>? begin = null)
    {
        lock (_gate)
        {
            if (FindTopic(topic) is not { } parent)
            {
                return CreateVerdict.NoTopic;
            }

            if (parent.Find(settings.Name) is { } found)
            {
                return found.Settings.IsLike(settings) ? CreateVerdict.Exists : CreateVerdict.Differs;
            }

            if (Count >= _limit)
            {
                return CreateVerdict.TooMany;
            }

            parent.Add(settings, begin);
            return CreateVerdict.Created;
        }
    }

    /// <summary>Finds a queue, or creates it on demand. Null when it does not exist.</summary>
    /// <exception cref="IOException">The queue could not be written.</exception>
    public MessageQueue? FindQueue(string name)
    {
        if (!_entities.ContainsKey(name) && OnDemand?.Invoke(name) is { } settings)
        {
            CreateQueue(settings);
        }

        return FindPresentQueue(name);
    }

    /// <summary>Finds an existing queue. Never creates one.</summary>
    public MessageQueue? FindPresentQueue(string name) => _entities.GetValueOrDefault(name)?.Queue;

    public Topic? FindTopic(string name) => _entities.GetValueOrDefault(name)?.Topic;

    /// <summary>Finds the queue or topic of a name.</summary>
    /// <exception cref="IOException">The queue could not be created on demand.</exception>
    public IMessageEntity? Find(string name) => FindTopic(name) ?? (IMessageEntity?)FindQueue(name);

    /// <summary>Finds the queue of an address of a queue, a subscription or a dead-letter queue. Null when it does not exist.</summary>
    /// <exception cref="IOException">The queue could not be created on demand.</exception>
    public MessageQueue? FindQueue(EntityAddress address)
    {
        var queue = address.Subscription is { } name ? FindTopic(address.Entity)?.Find(name)?.Queue : FindQueue(address.Entity);
        return address.DeadLetter ? queue?.DeadLetters : queue;
    }

    /// <summary>Removes a queue with its messages and ends its links. Returns false when it does not exist.</summary>
    /// <exception cref="IOException">Its file could not be removed. Nothing has changed.</exception>
    public bool DeleteQueue(string name) => Delete(QueueKind, name, static entity => entity.Queue is not null);

    /// <summary>Removes a topic with its subscriptions and ends their links. Returns false when it does not exist.</summary>
    /// <exception cref="IOException">Its file could not be removed. Nothing has changed.</exception>
    public bool DeleteTopic(string name) => Delete(TopicKind, name, static entity => entity.Topic is not null);

    /// <exception cref="IOException">The removal could not be written.</exception>
    public bool DeleteSubscription(string topic, string name) => FindTopic(topic)?.Remove(name) ?? false;

    /// <summary>Call it when an entity may have got an idle time.</summary>
    public void LookForIdle() => _idle.Look();

    public void Dispose()
    {
        _idle.Dispose();
        foreach (var entity in _entities.Values)
        {
            entity.Store.Dispose();
        }
    }

    private void Add(Entity entity) => _entities = new Dictionary<string, Entity>(_entities, StringComparer.OrdinalIgnoreCase) { [entity.Name] = entity };

    private bool Delete(string kind, string name, Func<Entity, bool> isOfKind)
    {
        lock (_gate)
        {
            if (!_entities.TryGetValue(name, out var entity) || !isOfKind(entity))
            {
                return false;
            }

            // No call writes to the log any more when it is deleted.
            entity.Store.Delete(() => _data?.DeleteLog(kind, entity.Name));
            _entities = _entities.Where(other => other.Value != entity).ToDictionary(StringComparer.OrdinalIgnoreCase);
            return true;
        }
    }

    private Entity Make(string kind, string name, Action<StoreReplay> describe)
    {
        try
        {
            return Open(kind, name, describe)!;
        }
        catch (EmulatorException exception)
        {
            // This failure ends a start, but not a running emulator.
            throw new IOException(exception.Message, exception);
        }
    }

    private void Recover()
    {
        foreach (var kind in _data is null ? [] : new[] { QueueKind, TopicKind })
        {
            foreach (var name in _data!.GetNames(kind))
            {
                if (Open(kind, name, describe: null) is { } entity)
                {
                    Add(entity);
                }
                else
                {
                    // The process was killed before the description was written, so no client was informed that it exists.
                    _data.DeleteLog(kind, name);
                }
            }
        }

        // Messages may move from one store to another. None moves before every store writes to its log.
        foreach (var entity in _entities.Values)
        {
            entity.Store.Resume(entity.Log);
        }

        foreach (var entity in _entities.Values)
        {
            entity.Store.Start();
        }
    }

    private Entity? Open(string kind, string name, Action<StoreReplay>? describe)
    {
        // Stores that are restored from the disk are created before the property is set.
        var store = new MessageStore(name, _budget, _clock, _numbers, Find, _log) { NotEvaluated = rules => NotEvaluated?.Invoke(rules) };
        try
        {
            return Fill(store, kind, name, describe);
        }
        catch
        {
            store.Dispose();
            throw;
        }
    }

    // Null if its log does not describe it.
    private Entity? Fill(MessageStore store, string kind, string name, Action<StoreReplay>? describe)
    {
        var replay = new StoreReplay(store);
        var file = _data?.OpenLog(kind, name, replay.Apply);
        describe?.Invoke(replay);
        var log = file is null
            ? null
            : replay switch
            {
                { Queue: { } queue } => new StoreLog(file, log => StoreSnapshot.OfQueue(store, queue, log)),
                { Topic: { } topic } => new StoreLog(file, log => StoreSnapshot.OfTopic(store, topic, log)),
                _ => null,
            };
        if (replay is { Queue: null, Topic: null })
        {
            store.Dispose();
            return null;
        }

        var described = replay.Queue?.Name ?? replay.Topic!.Name;
        _data?.ExpectNamed(kind, name, described);
        var entity = new Entity(described, store, replay.Queue, replay.Topic, log);
        if (describe is not null)
        {
            StartNew(kind, entity);
        }

        return entity;
    }

    private void StartNew(string kind, Entity entity)
    {
        try
        {
            entity.Log?.Describe();
        }
        catch
        {
            _data!.DeleteLog(kind, entity.Name);
            throw;
        }

        entity.Store.Resume(entity.Log);
        entity.Store.Start();
    }

    private sealed record Entity(string Name, MessageStore Store, MessageQueue? Queue, Topic? Topic, StoreLog? Log);
}
