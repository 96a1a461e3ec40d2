using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// A queue with peek-lock. A message is available, locked, deferred or scheduled. It leaves only when it is completed, expired, forwarded or dead-lettered.
/// Every call is short and never waits. Safe for several threads. With a log, a call that throws an <see cref="IOException"/> has changed nothing.
/// </summary>
internal sealed class MessageQueue : IMessageEntity, IDisposable
{
    private readonly MessageStore _store;
    private readonly MessageEnqueuer _arrivals;
    private readonly CancellationTokenSource _deleted = new();

    /// <param name="store">The store that it shares with its dead-letter queue, or with the other subscriptions of its topic.</param>
    /// <param name="id">Its number in the store.</param>
    /// <param name="name">Its path.</param>
    /// <param name="settings">Its settings.</param>
    /// <param name="deadLetters">Its dead-letter queue. Null for a dead-letter queue.</param>
    /// <param name="route">Returns the queues of a scheduled message when it is due. Null for the queue itself.</param>
    public MessageQueue(
        MessageStore store,
        int id,
        string name,
        QueueSettings settings,
        MessageQueue? deadLetters,
        Func<MessageContent, IReadOnlyList<MessageQueue>>? route
    )
    {
        _store = store;
        Id = id;
        Name = name;
        Settings = settings;
        DeadLetters = deadLetters;
        Forwarding = new Forwarding(this, store);
        Deleted = _deleted.Token;
        MessageQueue[] self = [this];
        Contents = new QueueContents(store, this, route ?? (_ => self));
        _arrivals = new MessageEnqueuer(store, store.Watch(settings.DuplicateDetection), (_, _) => self);
    }

    /// <summary>Its number in its store.</summary>
    public int Id { get; }

    public string Name { get; }

    /// <summary>Replaced under the gate of the store, read without it.</summary>
    public QueueSettings Settings { get; private set; }

    /// <summary>Null for a dead-letter queue.</summary>
    public MessageQueue? DeadLetters { get; }

    /// <summary>Forwards its messages if a target is set.</summary>
    public Forwarding Forwarding { get; }

    /// <summary>Whether it forwards its messages.</summary>
    public bool Forwards => Settings.ForwardTo is not null;

    /// <summary>Guarded by the gate of the store.</summary>
    public QueueContents Contents { get; }

    /// <summary>Set whenever a message becomes available.</summary>
    public WakeSignals Receivers { get; } = new();

    /// <summary>Cancelled when the queue is deleted, which ends its links.</summary>
    public CancellationToken Deleted { get; }

    /// <summary>Used by the store.</summary>
    public bool HasNews { get; set; }

    public int Count
    {
        get
        {
            lock (_store.Gate)
            {
                return Contents.Messages.Count;
            }
        }
    }

    public QueueStatistics Statistics
    {
        get
        {
            lock (_store.Gate)
            {
                return QueueStatistics.Of(Name, Contents.Messages, DeadLetters?.Contents.Messages);
            }
        }
    }

    public LastUse LastUse { get; } = new();

    public Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops)
    {
        LastUse.Note(_store.Clock.GetUtcNow());
        var receipt = _arrivals.Accept(contents, stored, hops);
        _store.Announce();
        return receipt;
    }

    /// <summary>Locks the first available message. Null when there is none.</summary>
    public QueueDelivery? TryLock() => TryLockFirst(Settings.LockDuration);

    /// <summary>
    /// Locks the first available message, without a time limit, for a receiver that deletes it. <see cref="Taken"/> or <see cref="Release"/> must follow. Null
    /// when there is none.
    /// </summary>
    public QueueDelivery? TryTake() => TryLockFirst(null);

    /// <summary>Locks all of these deferred messages or none.</summary>
    /// <returns>Null when one of them is not deferred here. An expired one is removed.</returns>
    public IReadOnlyList<QueueDelivery>? TryLockDeferred(IReadOnlyList<long> sequences)
    {
        IReadOnlyList<QueueDelivery>? deliveries = null;
        lock (_store.Gate)
        {
            var now = RunDue();
            var messages = sequences.Distinct().Select(Contents.Messages.Find).ToArray();
            if (messages.All(message => message?.State == MessageState.Deferred && !Contents.ExpireIfOver(message, now)))
            {
                deliveries = Array.ConvertAll(messages, message => Contents.Lock(message!, now + Settings.LockDuration));
            }
        }

        _store.Announce();
        return deliveries;
    }

    /// <summary>Id and number of a locked message. Null when the lock is lost.</summary>
    public (string MessageId, long Sequence)? FindLocked(Guid token)
    {
        lock (_store.Gate)
        {
            return Contents.Locks.Find(token) is { } message ? (message.Content.MessageId, message.Sequence) : null;
        }
    }

    /// <summary>Undoes a lock: its receiver returns the message unseen, or did not receive it. The delivery does not count.</summary>
    /// <returns>False when the lock is lost, as for all settlements.</returns>
    public bool Release(Guid token) => Settle(token, Contents.Return);

    public bool Complete(Guid token) => Settle(token, Contents.Take);

    /// <summary>The message of <see cref="TryTake"/> was sent. It stays deleted even if the log cannot be written.</summary>
    public bool Taken(Guid token) => Settle(token, Contents.Leave);

    public bool Abandon(Guid token, AmqpMap? changes) =>
        Settle(token, message => Contents.CountFailedDelivery(message, message.Content.WithProperties(changes)));

    public bool Defer(Guid token, AmqpMap? changes) => Settle(token, message => Contents.Defer(message, message.Content.WithProperties(changes)));

    /// <param name="token">The lock.</param>
    /// <param name="info">Reason, description and other entries. They become application properties of the dead letter.</param>
    public bool DeadLetter(Guid token, AmqpMap? info) =>
        Settle(token, message => Contents.MoveToDeadLetters(message, message.Content.WithProperties(info), message.DeliveryCount));

    /// <summary>Renews all of these locks from now on, or none. Null when one of them is lost.</summary>
    public DateTimeOffset? Renew(IReadOnlyList<Guid> tokens)
    {
        DateTimeOffset? renewed = null;
        lock (_store.Gate)
        {
            var until = RunDue() + Settings.LockDuration;
            var messages = tokens.Select(Contents.Locks.Find).ToArray();
            if (Array.TrueForAll(messages, static message => message is not null))
            {
                foreach (var message in messages)
                {
                    Contents.Locks.Renew(message!, until);
                }

                _store.Arm(until.UtcTicks);
                renewed = until;
            }
        }

        _store.Announce();
        return renewed;
    }

    public bool TryCancelScheduled(IReadOnlyList<long> sequences)
    {
        bool all;
        lock (_store.Gate)
        {
            RunDue();
            var messages = sequences.Distinct().Select(Contents.Messages.Find).ToArray();
            all = Array.TrueForAll(messages, static message => message?.State == MessageState.Scheduled);
            if (all)
            {
                Contents.Take(messages!);
            }
        }

        _store.Announce();
        return all;
    }

    /// <summary>Bytes of the messages with these numbers that are in the queue.</summary>
    public long GetBytes(IReadOnlyList<long> sequences)
    {
        lock (_store.Gate)
        {
            return sequences.Distinct().Sum(sequence => (long)(Contents.Messages.Find(sequence)?.Content.Length ?? 0));
        }
    }

    /// <summary>Returns messages in order of their sequence numbers, including locked, deferred and scheduled ones.</summary>
    public IReadOnlyList<QueueDelivery> Peek(long fromSequence, int count)
    {
        QueueDelivery[] shown;
        lock (_store.Gate)
        {
            RunDue();
            shown =
            [
                .. Contents
                    .Messages.From(fromSequence)
                    .Where(static message => message.State != MessageState.Forwarding)
                    .Take(count)
                    .Select(static message => message.Snapshot()),
            ];
        }

        _store.Announce();
        return shown;
    }

    /// <summary>Sets the settings of the queue and its dead-letter queue. Called under the gate of the store.</summary>
    public void Adopt(QueueSettings settings)
    {
        Settings = settings;
        DeadLetters?.Adopt(MessageStore.GetDeadLetters(settings));
    }

    /// <summary>Applies adopted settings to all messages. Called under the gate of the store.</summary>
    public void Rearrange()
    {
        Contents.Rearrange();
        DeadLetters?.Rearrange();
    }

    /// <summary>Changes the settings of a queue that is not part of a topic, and applies them to its messages. Locks and its name stay.</summary>
    /// <exception cref="IOException">The settings could not be written to the log. Nothing has changed.</exception>
    public void Change(QueueSettings settings)
    {
        lock (_store.Gate)
        {
            settings = settings with { Name = Name, Notes = settings.Notes.Continuing(Settings.Notes, _store.Clock.GetUtcNow()) };
            _store.Log?.Queue(settings);
            Adopt(settings);
            Rearrange();
            _store.Resize(settings.DuplicateDetection);
        }

        _store.Announce();
    }

    /// <summary>Deletes all messages and ends the waits of receivers.</summary>
    public void End()
    {
        lock (_store.Gate)
        {
            Contents.Clear();
        }

        _deleted.Cancel();
    }

    public void Dispose() => _deleted.Dispose();

    // Without a duration the lock lasts until the outcome is reported.
    private QueueDelivery? TryLockFirst(TimeSpan? duration)
    {
        QueueDelivery? delivery;
        lock (_store.Gate)
        {
            var now = RunDue();
            var until = duration is { } limited ? now + limited : DateTimeOffset.MaxValue;
            delivery = Contents.TryTakeAvailable() is { } message ? Contents.Lock(message, until) : null;
        }

        _store.Announce();
        return delivery;
    }

    private bool Settle(Guid token, Action<QueuedMessage> outcome)
    {
        bool held;
        lock (_store.Gate)
        {
            RunDue();
            var message = Contents.Locks.Find(token);
            held = message is not null;
            if (message is not null)
            {
                outcome(message);
                _store.CompactIfDue();
            }
        }

        _store.Announce();
        return held;
    }

    // Timed changes come first, so that no caller sees expired state. A disk that refuses them does not stop other callers.
    private DateTimeOffset RunDue()
    {
        var now = _store.Clock.GetUtcNow();
        LastUse.Note(now);
        _store.RunDue(this, now);
        return now;
    }
}
