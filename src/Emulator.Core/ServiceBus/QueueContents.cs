using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// The messages of a queue, and their changes of state. The log is written before any change, so an exception means that nothing has changed. Guarded by the
/// gate of the store.
/// </summary>
/// <param name="store">The store.</param>
/// <param name="queue">The queue of these messages.</param>
/// <param name="route">Returns the target of a scheduled message when it is due: the queue itself, unless it belongs to a topic.</param>
internal sealed class QueueContents(MessageStore store, MessageQueue queue, Func<MessageContent, IReadOnlyList<MessageQueue>> route)
{
    private readonly MessageIndex _messages = new();
    private readonly WaitingMessages _waiting = new();
    private readonly LockTable _locks = new();

    public MessageIndex Messages => _messages;

    public LockTable Locks => _locks;

    /// <summary>The number of the newest message.</summary>
    public long LastSequence { get; set; }

    /// <summary>The first message to forward.</summary>
    public QueuedMessage? ToForward => _waiting.Outbox.Peek(long.MaxValue);

    /// <summary>When the timer must check it again.</summary>
    public long NextDue => Math.Min(_locks.Next ?? long.MaxValue, _waiting.NextDue);

    private MessageState Waiting => queue.Forwards ? MessageState.Forwarding : MessageState.Available;

    /// <summary>Creates a message with the next number. It is in the queue only after it is added.</summary>
    public QueuedMessage Create(MessageContent content, DateTimeOffset now, DateTimeOffset? scheduled, byte hops) =>
        new(queue, ++LastSequence, now, content)
        {
            ScheduledFor = scheduled,
            Hops = hops,
            State = scheduled is not null ? MessageState.Scheduled : Waiting,
            Expires = scheduled is null ? GetExpiry(content, now) : null,
        };

    public void Add(QueuedMessage message, bool reserved)
    {
        store.Hold(message.Content, reserved);
        store.HoldEntry(reserved);
        _messages.Add(message);
        Place(message);
    }

    /// <summary>The first available message. The caller must lock it.</summary>
    public QueuedMessage? TryTakeAvailable() => _waiting.Available.TryTake(long.MaxValue);

    public QueueDelivery Lock(QueuedMessage message, DateTimeOffset until)
    {
        _messages.Change(message, MessageState.Locked);
        _locks.Add(message, until);
        store.Arm(until.UtcTicks);
        return message.Snapshot();
    }

    /// <summary>Ends a lock, or an attempt to lock, without counting the delivery.</summary>
    public void Return(QueuedMessage message)
    {
        _messages.Change(message, message.IsDeferred ? MessageState.Deferred : Waiting);
        _locks.Remove(message);
        Place(message);
    }

    public void Take(QueuedMessage message) => Take([message]);

    public void Take(IReadOnlyList<QueuedMessage> messages)
    {
        store.Log?.Removed(queue, messages);
        foreach (var message in messages)
        {
            Remove(message);
        }
    }

    /// <summary>The delivery counts, but not as a failure. A message that is deferred many times is not dead-lettered for that.</summary>
    public void Defer(QueuedMessage message, MessageContent content)
    {
        Change(message, message.DeliveryCount + 1, isDeferred: true, content);
        Return(message);
    }

    public void CountFailedDelivery(QueuedMessage message, MessageContent content)
    {
        var count = message.DeliveryCount + 1;
        if (queue.DeadLetters is not null && count >= queue.Settings.MaximumDeliveryCount)
        {
            MoveToDeadLetters(
                message,
                content,
                count,
                "MaxDeliveryCountExceeded",
                $"Message could not be consumed after {queue.Settings.MaximumDeliveryCount} delivery attempts."
            );
            return;
        }

        Change(message, count, message.IsDeferred, content);
        Return(message);
    }

    public void MoveToDeadLetters(QueuedMessage message, MessageContent content, int deliveryCount, string reason, string description) =>
        MoveToDeadLetters(
            message,
            content.WithProperties(new AmqpMap { { AmqpNames.DeadLetterReason, reason }, { AmqpNames.DeadLetterErrorDescription, description } }),
            deliveryCount
        );

    /// <summary>For a queue that has a dead-letter queue.</summary>
    public void MoveToDeadLetters(QueuedMessage message, MessageContent content, int deliveryCount) =>
        Move(message, content.AsDeadLetterOf(queue.Name), deliveryCount, [queue.DeadLetters!]);

    /// <summary>Whether a deferred message has expired. It is then removed.</summary>
    public bool ExpireIfOver(QueuedMessage message, DateTimeOffset now)
    {
        if (message.Expires is not { } end || end > now)
        {
            return false;
        }

        Expire(message);
        return true;
    }

    /// <summary>Applies timed changes: locks end, messages expire, scheduled ones are enqueued.</summary>
    public void RunDue(DateTimeOffset now)
    {
        while (_locks.Over(now.UtcTicks) is { } unlocked)
        {
            CountLostLock(unlocked);
        }

        while (_waiting.Expiries.Peek(now.UtcTicks) is { } expired)
        {
            if (expired.State == MessageState.Available)
            {
                Expire(expired);
            }
            else
            {
                // Locked, deferred or being forwarded: it expires when it returns.
                _waiting.Expiries.TryTake(now.UtcTicks);
                expired.AwaitsExpiry = false;
            }
        }

        while (_waiting.Scheduled.Peek(now.UtcTicks) is { } due)
        {
            queue.LastUse.Note(now);
            Move(due, due.Content, 0, route(due.Content));
        }
    }

    /// <summary>The message has arrived at the target of forwarding.</summary>
    public void Forwarded(QueuedMessage message)
    {
        // Otherwise the queue was deleted, or its forwarding disabled and the message received.
        if (message.State is MessageState.Forwarding or MessageState.Available)
        {
            Leave(message);
        }
    }

    /// <summary>The message was sent, whether or not that can be written.</summary>
    public void Leave(QueuedMessage message)
    {
        try
        {
            store.Log?.Removed(queue, [message]);
        }
        catch (IOException)
        {
            // The message stays deleted. If the process ends now, it will be sent twice, which is better than never.
        }

        Remove(message);
    }

    /// <summary>The message cannot be forwarded. It is dead-lettered, or stays if it already is a dead letter.</summary>
    public void MoveToTransferDeadLetter(QueuedMessage message, string reason, string description)
    {
        if (queue.DeadLetters is not null)
        {
            MoveToDeadLetters(message, message.Content, message.DeliveryCount, reason, description);
            return;
        }

        _messages.Change(message, MessageState.Available);
        _waiting.Outbox.Leave();
        Place(message);
    }

    /// <summary>Restores a message from a log. It is in place only after <see cref="Resume"/>.</summary>
    public void Restore(QueuedMessage message)
    {
        if (_messages.Find(message.Sequence) is not null)
        {
            throw new InvalidDataException($"the message {message.Sequence} for a second time");
        }

        LastSequence = Math.Max(LastSequence, message.Sequence);
        store.Hold(message.Content, reserved: false);
        store.HoldEntry(reserved: false);
        _messages.Unorder();
        _messages.Add(message);
    }

    public void Replace(QueuedMessage message, MessageContent content)
    {
        store.Hold(content, reserved: false);
        store.Drop(message.Content);
        _messages.Change(message, content);
    }

    public void Discard(long sequence)
    {
        var message = _messages.Find(sequence) ?? throw new InvalidDataException($"the unknown message {sequence}");
        _messages.Remove(message);
        store.Drop(message.Content);
        store.DropEntry();
    }

    /// <summary>Puts all restored messages in place. Their locks have ended, and the deliveries do not count.</summary>
    public void Resume()
    {
        _messages.Order();
        foreach (var message in _messages.From(0))
        {
            var state = message switch
            {
                { ScheduledFor: not null } => MessageState.Scheduled,
                { IsDeferred: true } => MessageState.Deferred,
                _ => Waiting,
            };
            _messages.Change(message, state);
            message.Expires = message.ScheduledFor is null ? GetExpiry(message.Content, message.Enqueued) : null;
            Place(message);
        }
    }

    /// <summary>Applies other settings to all messages. Locks stay.</summary>
    public void Rearrange()
    {
        _waiting.Clear();
        foreach (var message in _messages.From(0).ToArray())
        {
            message.AwaitsExpiry = false;
            message.Expires = message.ScheduledFor is null ? GetExpiry(message.Content, message.Enqueued) : null;
            if (message.State is MessageState.Available or MessageState.Forwarding)
            {
                _messages.Change(message, Waiting);
            }

            Place(message);
        }
    }

    /// <summary>Releases all memory. The queue ends.</summary>
    public void Clear()
    {
        foreach (var message in _messages.All.ToArray())
        {
            Remove(message);
        }

        _waiting.Outbox.Clear();
    }

    private DateTimeOffset? GetExpiry(MessageContent content, DateTimeOffset enqueued) =>
        queue.DeadLetters is null ? null : content.ExpiryFrom(enqueued, queue.Settings.TimeToLive);

    private void Place(QueuedMessage message)
    {
        if (message is { State: MessageState.Available, Expires: { } end, AwaitsExpiry: false })
        {
            message.AwaitsExpiry = true;
            _waiting.Expiries.Add(message, end.UtcTicks);
            store.Arm(end.UtcTicks);
        }

        switch (message.State)
        {
            case MessageState.Available:
                _waiting.Available.Add(message, message.Sequence);
                store.Note(queue);
                break;
            case MessageState.Forwarding:
                _waiting.Outbox.Add(message, message.Sequence);
                store.Note(queue);
                break;
            case MessageState.Scheduled:
                _waiting.Scheduled.Add(message, message.ScheduledFor!.Value.UtcTicks);
                store.Arm(message.ScheduledFor.Value.UtcTicks);
                break;
            default:
                break;
        }
    }

    private void Remove(QueuedMessage message)
    {
        var before = message.State;
        _messages.Remove(message);
        _waiting.Leave(message, before);
        if (before == MessageState.Locked)
        {
            _locks.Remove(message);
        }

        store.Drop(message.Content);
        store.DropEntry();
    }

    private void Change(QueuedMessage message, int deliveryCount, bool isDeferred, MessageContent content)
    {
        store.Log?.Changed(message, deliveryCount, isDeferred, content);
        if (content != message.Content)
        {
            Replace(message, content);
        }

        message.DeliveryCount = deliveryCount;
        message.IsDeferred = isDeferred;
    }

    private void Expire(QueuedMessage message)
    {
        if (queue.Settings.DeadLetterExpired)
        {
            MoveToDeadLetters(message, message.Content, message.DeliveryCount, "TTLExpiredException", "The message expired and was dead lettered.");
        }
        else
        {
            Take(message);
        }
    }

    // The count has no waiting client. If the log cannot be written, the lock still ends, and only the count is lost with the process.
    private void CountLostLock(QueuedMessage message)
    {
        try
        {
            CountFailedDelivery(message, message.Content);
        }
        catch (IOException)
        {
            message.DeliveryCount++;
            Return(message);
        }
    }

    private void Move(QueuedMessage message, MessageContent content, int deliveryCount, IReadOnlyList<MessageQueue> targets)
    {
        var now = store.Clock.GetUtcNow();
        var copies = new QueuedMessage[targets.Count];
        for (var i = 0; i < copies.Length; i++)
        {
            copies[i] = targets[i].Contents.Create(content, now, null, message.Hops);
            copies[i].DeliveryCount = deliveryCount;
            copies[i].WasScheduled = message.State == MessageState.Scheduled;
        }

        store.Log?.Moved(message, now, content, copies);
        foreach (var copy in copies)
        {
            // Never refused for memory, because it frees about as much as it takes.
            copy.Queue.Contents.Add(copy, reserved: false);
        }

        Remove(message);
    }
}
