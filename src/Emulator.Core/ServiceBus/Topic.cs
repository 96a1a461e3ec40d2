using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// A topic. In one step it passes a message to every subscription with a rule that accepts it. It stores only scheduled messages. Safe for several threads.
/// </summary>
internal sealed class Topic : IMessageEntity
{
    private readonly MessageStore _store;
    private readonly MessageEnqueuer _arrivals;
    private readonly MessageQueue _scheduled;

    // Replaced under the gate of the store, read without it.
    private volatile Subscription[] _subscriptions = [];
    private volatile TopicSettings _settings;
    private int _lastId;

    public Topic(MessageStore store, TopicSettings settings)
    {
        _store = store;
        _settings = settings with { Subscriptions = [] };
        _scheduled = store.AddQueue(0, settings.Name, new QueueSettings(settings.Name), GetTakers);
        MessageQueue[] wait = [_scheduled];
        _arrivals = new MessageEnqueuer(store, store.Watch(settings.DuplicateDetection), (content, scheduled) => scheduled ? wait : GetTakers(content));
    }

    public string Name => _settings.Name;

    /// <summary>The settings with the current subscriptions.</summary>
    public TopicSettings Settings => _settings with { Subscriptions = [.. _subscriptions.Select(static subscription => subscription.Described)] };

    public IReadOnlyList<Subscription> Subscriptions => _subscriptions;

    /// <summary>Scheduled messages. Peeking at the topic returns them.</summary>
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

    /// <summary>Whether it has the same settings, ignoring its subscriptions.</summary>
    public bool IsLike(TopicSettings asked) => asked with { Name = Name, Subscriptions = _settings.Subscriptions, Notes = _settings.Notes } == _settings;

    public Subscription? Find(string name) =>
        Array.Find(_subscriptions, subscription => string.Equals(subscription.Settings.Name, name, StringComparison.OrdinalIgnoreCase));

    /// <param name="settings">The settings of the subscription.</param>
    /// <param name="begin">Sets other rules before it receives any message. If that fails, there is no subscription.</param>
    /// <exception cref="IOException">The subscription could not be written to the log.</exception>
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

    /// <summary>Changes the settings. Its subscriptions and its name stay.</summary>
    /// <exception cref="IOException">The settings could not be written to the log. Nothing has changed.</exception>
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

    /// <summary>Changes the settings of a subscription. Its rules stay.</summary>
    /// <returns>False when no subscription has this name.</returns>
    /// <exception cref="IOException">The settings could not be written to the log. Nothing has changed.</exception>
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
            subscription.Queue.Adopt(GetRules(settings));
            subscription.Queue.Rearrange();
        }

        _store.Announce();
        return true;
    }

    /// <exception cref="IOException">The removal could not be written to the log.</exception>
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

    /// <summary>Sets the settings. Called under the gate of the store.</summary>
    public void Adopt(TopicSettings settings)
    {
        _settings = settings with { Subscriptions = [] };
        _store.Resize(settings.DuplicateDetection);
        foreach (var subscription in _subscriptions)
        {
            subscription.Queue.Adopt(GetRules(subscription.Settings));
        }
    }

    /// <summary>Creates a subscription on its first record, changes it on later ones.</summary>
    public void Restore(int id, DateTimeOffset created, QueueSettings settings)
    {
        if (Array.Find(_subscriptions, subscription => subscription.Queue.Id == id) is { } known)
        {
            known.Adopt(settings);
            known.Queue.Adopt(GetRules(settings));
            return;
        }

        var queue = _store.AddQueue(id, $"{Name}/Subscriptions/{settings.Name}", GetRules(settings));
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

    // The rules of a subscription for its messages, within those of the topic.
    private QueueSettings GetRules(QueueSettings subscription) =>
        subscription with
        {
            TimeToLive = subscription.TimeToLive is null || _settings.TimeToLive < subscription.TimeToLive ? _settings.TimeToLive : subscription.TimeToLive,
            DuplicateDetection = null,
        };

    private Subscription OfId(int id) =>
        Array.Find(_subscriptions, subscription => subscription.Queue.Id == id) ?? throw new InvalidDataException($"the unknown subscription {id}");

    private MessageQueue[] GetTakers(MessageContent content)
    {
        var message = new FilteredMessage(content);
        return [.. _subscriptions.Where(subscription => subscription.Takes(message)).Select(static subscription => subscription.Queue)];
    }
}
