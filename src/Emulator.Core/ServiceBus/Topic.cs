using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// A topic: what is sent to it goes to every subscription with a rule that takes it, in one step. It keeps nothing itself but
/// what is scheduled. Safe for several threads.
/// </summary>
internal sealed class Topic : IMessageEntity
{
    private readonly MessageStore _store;
    private readonly MessageEnqueuer _arrivals;
    private readonly MessageQueue _scheduled;

    // Replaced under the store's gate, read without it.
    private volatile Subscription[] _subscriptions = [];
    private volatile TopicSettings _settings;
    private int _lastId;

    public Topic(MessageStore store, TopicSettings settings)
    {
        _store = store;
        _settings = settings with { Subscriptions = [] };
        _scheduled = store.AddQueue(0, settings.Name, new QueueSettings(settings.Name), TakersOf);
        MessageQueue[] wait = [_scheduled];
        _arrivals = new MessageEnqueuer(store, store.Watch(settings.DuplicateDetection), (content, scheduled) => scheduled ? wait : TakersOf(content));
    }

    public string Name => _settings.Name;

    /// <summary>With the subscriptions of this moment.</summary>
    public TopicSettings Settings => _settings with { Subscriptions = [.. _subscriptions.Select(static subscription => subscription.Described)] };

    public IReadOnlyList<Subscription> Subscriptions => _subscriptions;

    /// <summary>Messages that wait for their time. Shown by peeking at the topic.</summary>
    public MessageQueue Scheduled => _scheduled;

    public TopicStatistics Statistics => new(Name, _scheduled.Count, [.. _subscriptions.Select(static subscription => subscription.Queue.Statistics)]);

    public LastUse LastUse { get; } = new();

    public CancellationToken Deleted => _scheduled.Deleted;

    public Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops)
    {
        LastUse.Note(_store.Clock.GetUtcNow());
        var receipt = _arrivals.Accept(contents, stored, hops);
        _store.Announce();
        return receipt;
    }

    public bool TryCancelScheduled(IReadOnlyList<long> sequences) => _scheduled.TryCancelScheduled(sequences);

    /// <summary>Whether it was asked for in the same way, whatever its subscriptions are.</summary>
    public bool IsLike(TopicSettings asked) => asked with { Name = Name, Subscriptions = _settings.Subscriptions, Notes = _settings.Notes } == _settings;

    public Subscription? Find(string name) =>
        Array.Find(_subscriptions, subscription => string.Equals(subscription.Settings.Name, name, StringComparison.OrdinalIgnoreCase));

    /// <param name="settings">The subscription's.</param>
    /// <param name="begin">Gives it other rules before any message comes to it. When that fails, there is no subscription.</param>
    /// <exception cref="IOException">It could not be written to the log.</exception>
    public void Add(QueueSettings settings, Action<Subscription>? begin = null)
    {
        lock (_store.Gate)
        {
            var id = _lastId + 2;
            var now = _store.Clock.GetUtcNow();
            _store.ThrowIfDeleted();
            settings = settings with { Notes = settings.Notes.Begun(now) };
            _store.Log?.Subscription(id, now, settings);
            Restore(id, now, settings);
            try
            {
                if (settings.Rules is { } rules)
                {
                    OfId(id).Begin(rules);
                }

                begin?.Invoke(OfId(id));
            }
            catch
            {
                Remove(settings.Name);
                throw;
            }
        }
    }

    /// <summary>Gives it other settings. Its subscriptions stay, and so does its name.</summary>
    /// <exception cref="IOException">It could not be written to the log. Nothing has changed.</exception>
    public void Change(TopicSettings settings)
    {
        lock (_store.Gate)
        {
            settings = settings with { Name = Name, Notes = settings.Notes.Continuing(_settings.Notes, _store.Clock.GetUtcNow()) };
            _store.Log?.Topic(settings);
            Adopt(settings);
            foreach (var subscription in _subscriptions)
            {
                subscription.Queue.Rearrange();
            }
        }

        _store.Announce();
    }

    /// <summary>Gives a subscription other settings. Its rules stay.</summary>
    /// <returns>False when there is no subscription of that name.</returns>
    /// <exception cref="IOException">It could not be written to the log. Nothing has changed.</exception>
    public bool Change(QueueSettings settings)
    {
        lock (_store.Gate)
        {
            if (Find(settings.Name) is not { } subscription)
            {
                return false;
            }

            settings = settings with
            {
                Name = subscription.Settings.Name,
                Notes = settings.Notes.Continuing(subscription.Settings.Notes, _store.Clock.GetUtcNow()),
            };
            _store.Log?.Subscription(subscription.Queue.Id, subscription.Created, settings);
            subscription.Adopt(settings);
            subscription.Queue.Adopt(RulesOf(settings));
            subscription.Queue.Rearrange();
        }

        _store.Announce();
        return true;
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

    /// <summary>Takes other settings over. Under the store's gate.</summary>
    public void Adopt(TopicSettings settings)
    {
        _settings = settings with { Subscriptions = [] };
        _store.Resize(settings.DuplicateDetection);
        foreach (var subscription in _subscriptions)
        {
            subscription.Queue.Adopt(RulesOf(subscription.Settings));
        }
    }

    /// <summary>The first record of a subscription makes it, a later one changes it.</summary>
    public void Restore(int id, DateTimeOffset created, QueueSettings settings)
    {
        if (Array.Find(_subscriptions, subscription => subscription.Queue.Id == id) is { } known)
        {
            known.Adopt(settings);
            known.Queue.Adopt(RulesOf(settings));
            return;
        }

        var queue = _store.AddQueue(id, $"{Name}/Subscriptions/{settings.Name}", RulesOf(settings));
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

    // What a subscription demands of its messages, within what the topic demands.
    private QueueSettings RulesOf(QueueSettings subscription) =>
        subscription with
        {
            TimeToLive = subscription.TimeToLive is null || _settings.TimeToLive < subscription.TimeToLive ? _settings.TimeToLive : subscription.TimeToLive,
            DuplicateDetection = null,
        };

    private Subscription OfId(int id) =>
        Array.Find(_subscriptions, subscription => subscription.Queue.Id == id) ?? throw new InvalidDataException($"the unknown subscription {id}");

    private MessageQueue[] TakersOf(MessageContent content)
    {
        var message = new FilteredMessage(content);
        return [.. _subscriptions.Where(subscription => subscription.Takes(message)).Select(static subscription => subscription.Queue)];
    }
}
