using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// A topic: what is sent to it goes to every subscription with a rule that takes it, in one step. It keeps nothing itself but
/// what is scheduled. Safe for several threads.
/// </summary>
internal sealed class Topic : IMessageEntity
{
    private readonly MessageStore _store;
    private readonly TopicSettings _settings;
    private readonly Arrivals _arrivals;
    private readonly MessageQueue _scheduled;

    // Replaced under the store's gate, read without it.
    private volatile Subscription[] _subscriptions = [];
    private int _lastId;

    public Topic(MessageStore store, TopicSettings settings)
    {
        _store = store;
        _settings = settings with { Subscriptions = [] };
        _scheduled = store.AddQueue(0, settings.Name, new QueueSettings(settings.Name), TakersOf);
        MessageQueue[] wait = [_scheduled];
        _arrivals = new Arrivals(store, store.Watch(settings.DuplicateDetection), (content, scheduled) => scheduled ? wait : TakersOf(content));
    }

    public string Name => _settings.Name;

    /// <summary>With the subscriptions of this moment.</summary>
    public TopicSettings Settings => _settings with { Subscriptions = [.. _subscriptions.Select(static subscription => subscription.Settings)] };

    public IReadOnlyList<Subscription> Subscriptions => _subscriptions;

    /// <summary>Messages that wait for their time; shown by peeking at the topic.</summary>
    public MessageQueue Scheduled => _scheduled;

    public TopicStatistics Statistics => new(Name, _scheduled.Count, [.. _subscriptions.Select(static subscription => subscription.Queue.Statistics)]);

    public CancellationToken Deleted => _scheduled.Deleted;

    public Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops)
    {
        var receipt = _arrivals.Accept(contents, stored, hops);
        _store.Announce();
        return receipt;
    }

    public bool TryCancelScheduled(IReadOnlyList<long> sequences) => _scheduled.TryCancelScheduled(sequences);

    /// <summary>Whether it was asked for in the same way, whatever its subscriptions are.</summary>
    public bool IsLike(TopicSettings asked) => asked with { Name = Name, Subscriptions = _settings.Subscriptions } == _settings;

    public Subscription? Find(string name) =>
        Array.Find(_subscriptions, subscription => string.Equals(subscription.Settings.Name, name, StringComparison.OrdinalIgnoreCase));

    /// <exception cref="IOException">It could not be written to the log.</exception>
    public void Add(QueueSettings settings)
    {
        lock (_store.Gate)
        {
            var id = _lastId + 2;
            var now = _store.Clock.GetUtcNow();
            _store.ThrowIfDeleted();
            _store.Log?.Subscription(id, now, settings);
            Restore(id, now, settings);
        }
    }

    /// <exception cref="IOException">It could not be written to the log.</exception>
    public bool Remove(string name)
    {
        lock (_store.Gate)
        {
            if (Find(name) is not { } subscription)
            {
                return false;
            }

            _store.Log?.SubscriptionGone(subscription.Queue.Id);
            Forget(subscription.Queue.Id);
            return true;
        }
    }

    public void Restore(int id, DateTimeOffset created, QueueSettings settings)
    {
        var queue = _store.AddQueue(id, $"{Name}/Subscriptions/{settings.Name}", settings with
        {
            TimeToLive = settings.TimeToLive is null || _settings.TimeToLive < settings.TimeToLive ? _settings.TimeToLive : settings.TimeToLive,
            DuplicateDetection = null,
        });
        _lastId = Math.Max(_lastId, id);
        _subscriptions = [.. _subscriptions, new Subscription(_store, created, settings, queue)];
    }

    public void Forget(int id)
    {
        var gone = OfId(id);
        _subscriptions = [.. _subscriptions.Where(subscription => subscription != gone)];
        _store.RemoveQueue(gone.Queue);
    }

    public void RestoreRules(int id, IReadOnlyList<SubscriptionRule> rules) => OfId(id).RestoreRules(rules);

    private Subscription OfId(int id) =>
        Array.Find(_subscriptions, subscription => subscription.Queue.Id == id) ?? throw new InvalidDataException($"the unknown subscription {id}");

    private MessageQueue[] TakersOf(MessageContent content)
    {
        var message = new FilteredMessage(content);
        return [.. _subscriptions.Where(subscription => subscription.Takes(message)).Select(static subscription => subscription.Queue)];
    }
}
