using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// A queue with peek-lock: a message is available, locked or deferred, and leaves only when it is completed, taken or
/// dead-lettered. Every call is short and never waits; safe for several threads.
/// </summary>
internal sealed class MessageQueue : IDisposable
{
    private readonly MessageQueueOptions _options;
    private readonly MemoryBudget _budget;
    private readonly TimeProvider _clock;
    private readonly ITimer _expiryTimer;
    private readonly Lock _gate = new();

    // All under the gate.
    private readonly Dictionary<long, QueuedMessage> _messages = [];
    private readonly PriorityQueue<QueuedMessage, long> _available = new();
    private readonly Dictionary<Guid, QueuedMessage> _locks = [];

    // In order of time, because all locks last equally long; entries of ended or renewed locks are passed over.
    private readonly Queue<(QueuedMessage Message, Guid Token, DateTimeOffset Until)> _expiries = new();
    private long _lastSequence;

    public MessageQueue(string name, MessageQueueOptions options, MemoryBudget budget, TimeProvider clock)
        : this(name, options, budget, clock, hasDeadLetters: true)
    {
    }

    private MessageQueue(string name, MessageQueueOptions options, MemoryBudget budget, TimeProvider clock, bool hasDeadLetters)
    {
        Name = name;
        _options = options;
        _budget = budget;
        _clock = clock;
        _expiryTimer = clock.CreateTimer(static state => ((MessageQueue)state!).OnExpiryTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        DeadLetters = hasDeadLetters
            ? new MessageQueue($"{name}/{AmqpNames.DeadLetterSuffix}", options, budget, clock, hasDeadLetters: false)
            : null;
    }

    public string Name { get; }

    /// <summary>Null for a dead-letter queue itself.</summary>
    public MessageQueue? DeadLetters { get; }

    /// <summary>Set whenever a message becomes available.</summary>
    public WakeUps Receivers { get; } = new();

    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _messages.Count;
            }
        }
    }

    public void Dispose()
    {
        _expiryTimer.Dispose();
        DeadLetters?.Dispose();
    }

    /// <summary>Takes the memory that messages will need, before anybody is told that they are stored.</summary>
    public bool TryReserve(IReadOnlyList<MessageContent> contents) => _budget.TryReserve(contents.Sum(Cost));

    public void CancelReservation(IReadOnlyList<MessageContent> contents) => _budget.Release(contents.Sum(Cost));

    /// <summary>Adds messages, as one, whose memory was reserved.</summary>
    public void Enqueue(IReadOnlyList<MessageContent> contents)
    {
        lock (_gate)
        {
            var now = _clock.GetUtcNow();
            foreach (var content in contents)
            {
                var message = new QueuedMessage(++_lastSequence, now, content);
                _messages.Add(message.Sequence, message);
                _available.Enqueue(message, message.Sequence);
            }
        }

        Receivers.SetAll();
    }

    /// <summary>Locks the first available message; null when there is none.</summary>
    public QueueDelivery? TryLock()
    {
        lock (_gate)
        {
            return _available.TryDequeue(out var message, out _) ? Lock(message).Snapshot() : null;
        }
    }

    /// <summary>Locks a deferred message.</summary>
    public QueueDelivery? TryLockDeferred(long sequence)
    {
        lock (_gate)
        {
            return _messages.TryGetValue(sequence, out var message) && message.State == MessageState.Deferred ? Lock(message).Snapshot() : null;
        }
    }

    /// <summary>Removes the first available message; null when there is none.</summary>
    public QueueDelivery? TryTake()
    {
        lock (_gate)
        {
            if (!_available.TryDequeue(out var message, out _))
            {
                return null;
            }

            Remove(message);
            return message.Snapshot();
        }
    }

    /// <summary>Undoes a lock whose message never reached its receiver; the delivery does not count.</summary>
    public void Unlock(Guid token)
    {
        lock (_gate)
        {
            if (!_locks.Remove(token, out var message))
            {
                return;
            }

            Return(message);
        }

        Receivers.SetAll();
    }

    /// <returns>False when the lock is lost; so for all settlements.</returns>
    public bool Complete(Guid token)
    {
        lock (_gate)
        {
            ExpireDue();
            if (!_locks.Remove(token, out var message))
            {
                return false;
            }

            Remove(message);
            return true;
        }
    }

    public bool Abandon(Guid token, AmqpMap? changes)
    {
        bool held;
        lock (_gate)
        {
            ExpireDue();
            held = _locks.Remove(token, out var message);
            if (message is not null)
            {
                Change(message, changes);
                CountFailedDelivery(message);
            }
        }

        Receivers.SetAll();
        return held;
    }

    public bool Defer(Guid token, AmqpMap? changes)
    {
        lock (_gate)
        {
            ExpireDue();
            if (!_locks.Remove(token, out var message))
            {
                return false;
            }

            Change(message, changes);
            message.IsDeferred = true;
            message.State = MessageState.Deferred;
            return true;
        }
    }

    /// <param name="token">The lock.</param>
    /// <param name="info">Reason, description and whatever else; they become application properties of the dead letter.</param>
    public bool DeadLetter(Guid token, AmqpMap? info)
    {
        lock (_gate)
        {
            ExpireDue();
            if (!_locks.Remove(token, out var message))
            {
                return false;
            }

            MoveToDeadLetters(message, info);
            return true;
        }
    }

    /// <summary>Prolongs a lock from now on; null when it is lost.</summary>
    public DateTimeOffset? Renew(Guid token)
    {
        lock (_gate)
        {
            ExpireDue();
            if (!_locks.TryGetValue(token, out var message))
            {
                return null;
            }

            HoldFor(message);
            return message.LockedUntil;
        }
    }

    /// <summary>Shows messages, locked and deferred ones included, in order of their sequence numbers.</summary>
    public IReadOnlyList<QueueDelivery> Peek(long fromSequence, int count)
    {
        lock (_gate)
        {
            ExpireDue();
            return [.. _messages.Values.Where(message => message.Sequence >= fromSequence)
                .OrderBy(static message => message.Sequence).Take(count).Select(static message => message.Snapshot())];
        }
    }

    private static long Cost(MessageContent content) => content.Length + (2 * MemoryBudget.EntryOverhead);

    private QueuedMessage Lock(QueuedMessage message)
    {
        message.State = MessageState.Locked;
        message.LockToken = Guid.NewGuid();
        _locks.Add(message.LockToken, message);
        HoldFor(message);
        return message;
    }

    private void HoldFor(QueuedMessage message)
    {
        message.LockedUntil = _clock.GetUtcNow() + _options.LockDuration;
        _expiries.Enqueue((message, message.LockToken, message.LockedUntil));
        if (_expiries.Count == 1)
        {
            _expiryTimer.Change(_options.LockDuration, Timeout.InfiniteTimeSpan);
        }
    }

    private void OnExpiryTimer()
    {
        lock (_gate)
        {
            ExpireDue();
            if (_expiries.TryPeek(out var next))
            {
                var left = next.Until - _clock.GetUtcNow();
                _expiryTimer.Change(left > TimeSpan.FromMilliseconds(1) ? left : TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
            }
        }

        Receivers.SetAll();
    }

    private void ExpireDue()
    {
        var now = _clock.GetUtcNow();
        while (_expiries.TryPeek(out var first))
        {
            var (message, token, until) = first;
            var isHeld = _locks.ContainsKey(token) && message.LockedUntil == until;
            if (isHeld && until > now)
            {
                return;
            }

            _expiries.Dequeue();
            if (isHeld)
            {
                _locks.Remove(token);
                CountFailedDelivery(message);
            }
        }
    }

    private void CountFailedDelivery(QueuedMessage message)
    {
        message.DeliveryCount++;
        if (DeadLetters is not null && message.DeliveryCount >= _options.MaximumDeliveryCount)
        {
            MoveToDeadLetters(message, new AmqpMap
            {
                { AmqpNames.DeadLetterReason, "MaxDeliveryCountExceeded" },
                { AmqpNames.DeadLetterErrorDescription, $"Message could not be consumed after {_options.MaximumDeliveryCount} delivery attempts." },
            });
            return;
        }

        Return(message);
    }

    private void Return(QueuedMessage message)
    {
        if (message.IsDeferred)
        {
            message.State = MessageState.Deferred;
        }
        else
        {
            message.State = MessageState.Available;
            _available.Enqueue(message, message.Sequence);
        }
    }

    // The gates are always taken in this direction: the queue's, then its dead-letter queue's.
    private void MoveToDeadLetters(QueuedMessage message, AmqpMap? info)
    {
        Remove(message);
        var content = message.Content.WithProperties(info);
        if (DeadLetters is not null)
        {
            content = content.AsDeadLetterOf(Name);
        }

        // A dead letter of a dead-letter queue stays there.
        var destination = DeadLetters ?? this;
        MessageContent[] moved = [content];

        // Never refused for memory: it frees about as much as it takes.
        if (!destination.TryReserve(moved))
        {
            _budget.Release(-Cost(content));
        }

        destination.Enqueue(moved);
    }

    private void Change(QueuedMessage message, AmqpMap? changes)
    {
        var before = Cost(message.Content);
        message.Content = message.Content.WithProperties(changes);
        _budget.Release(before - Cost(message.Content));
    }

    private void Remove(QueuedMessage message)
    {
        _messages.Remove(message.Sequence);
        _budget.Release(Cost(message.Content));
    }
}
