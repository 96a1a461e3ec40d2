using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Entities that change together: a queue and its dead-letter queue, or a topic and all its subscriptions. They share one gate, one log and one timer. A
/// message therefore moves between queues in one step, and an idle entity costs nothing.
/// </summary>
internal sealed class MessageStore : IDisposable
{
    // The bytes of a message in a log without its content, with the share of each queue. A generous estimate.
    private const int ContentOverhead = 96;
    private const int EntryBytes = 32;

    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(1);
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    private readonly string _name;
    private readonly ITimer _timer;

    // Replaced under the gate, read without it.
    private volatile MessageQueue[] _queues = [];
    private volatile bool _news;

    // Guarded by the gate.
    private long _armedFor = long.MaxValue;
    private bool _started;
    private bool _ended;

    public MessageStore(string name, MemoryBudget budget, TimeProvider clock, ArrivalNumbers numbers, Func<string, IMessageEntity?> find, ILogger? log = null)
    {
        _name = name;
        Budget = budget;
        Clock = clock;
        Numbers = numbers;
        Find = find;
        Trouble = log ?? NullLogger.Instance;
        _timer = clock.CreateTimer(static state => ((MessageStore)state!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public Lock Gate { get; } = new();

    public TimeProvider Clock { get; }

    public MemoryBudget Budget { get; }

    public ArrivalNumbers Numbers { get; }

    /// <summary>Finds the target of forwarding.</summary>
    public Func<string, IMessageEntity?> Find { get; }

    /// <summary>The log of failures that are retried.</summary>
    public ILogger Trouble { get; }

    /// <summary>Receives the rules that could not be evaluated, before the message is stored. Null without a journal.</summary>
    public Action<RulesNotEvaluated>? NotEvaluated { get; init; }

    /// <summary>Null when nothing is stored.</summary>
    public StoreLog? Log { get; private set; }

    public IReadOnlyList<MessageQueue> Queues => _queues;

    /// <summary>The ids of duplicate detection of its queue or topic. Null without duplicate detection. Guarded by the gate.</summary>
    public DuplicateWindow? Duplicates { get; private set; }

    /// <summary>The approximate bytes of a log that has only the present messages. Guarded by the gate.</summary>
    public long LiveBytes { get; private set; }

    public MessageQueue? Queue(int id) => Array.Find(_queues, queue => queue.Id == id);

    /// <summary>Enables duplicate detection, if a window is given.</summary>
    public DuplicateWindow? Watch(TimeSpan? length) => length is { } window ? Duplicates = new DuplicateWindow(window, Budget) : null;

    /// <summary>Adds a queue and its dead-letter queue.</summary>
    /// <param name="id">Its number. The dead-letter queue has the next one.</param>
    /// <param name="name">Its path.</param>
    /// <param name="settings">Its settings.</param>
    /// <param name="route">Returns the queues of a scheduled message when it is due. Null for the queue itself.</param>
    public MessageQueue AddQueue(int id, string name, QueueSettings settings, Func<MessageContent, IReadOnlyList<MessageQueue>>? route = null)
    {
        var dead = new MessageQueue(this, id + 1, $"{name}/{AmqpNames.DeadLetterSuffix}", GetDeadLetters(settings), deadLetters: null, route: null);
        var queue = new MessageQueue(this, id, name, settings, dead, route);
        lock (Gate)
        {
            _queues = [.. _queues, queue, dead];
        }

        return queue;
    }

    /// <summary>Changes the window of duplicate detection, if it is enabled. Called under the gate.</summary>
    public void Resize(TimeSpan? window)
    {
        if (Duplicates is { } duplicates && window is { } length)
        {
            duplicates.Length = length;
        }
    }

    /// <summary>Removes a queue and its dead-letter queue with their messages.</summary>
    public void RemoveQueue(MessageQueue queue)
    {
        lock (Gate)
        {
            _queues = [.. _queues.Where(other => other != queue && other != queue.DeadLetters)];
        }

        queue.End();
        queue.DeadLetters?.End();
    }

    /// <summary>Ends the recovery. All messages of the log are in place, and new records are written to it. No message moves by itself yet.</summary>
    public void Resume(StoreLog? log)
    {
        lock (Gate)
        {
            Log = log;
            foreach (var queue in _queues)
            {
                queue.Contents.Resume();
            }
        }
    }

    /// <summary>Starts timed changes and forwarding, after every target of forwarding has been resumed.</summary>
    public void Start()
    {
        lock (Gate)
        {
            _started = true;
            RunDue();
        }

        Announce();
    }

    /// <summary>Makes sure that the timer fires by this time. Called under the gate.</summary>
    public void Arm(long due)
    {
        // Times before the start are checked at the start.
        if (due >= _armedFor || !_started || _ended)
        {
            return;
        }

        _armedFor = due;
        var left = TimeSpan.FromTicks(due - Clock.GetUtcNow().UtcTicks);
        _timer.Change(
            left < ShortestWait ? ShortestWait
                : left > LongestWait ? LongestWait
                : left,
            Timeout.InfiniteTimeSpan
        );
    }

    /// <summary>Applies the timed changes of one queue. Called under the gate.</summary>
    public void RunDue(MessageQueue queue, DateTimeOffset now)
    {
        try
        {
            queue.Contents.RunDue(now);
        }
        catch (IOException exception)
        {
            // The disk refuses. The state is unchanged, and the change is retried.
            EmulatorLog.TimerFailed(Trouble, queue.Name, exception);
            Arm((now + RetryAfter).UtcTicks);
        }
    }

    /// <summary>Writes rules that could not be evaluated for a message to the log and the journal.</summary>
    /// <exception cref="IOException">The journal could not be written.</exception>
    public void Report(RulesNotEvaluated rules)
    {
        EmulatorLog.RulesNotEvaluated(Trouble, rules.Entity, rules.Count, rules.Rule, rules.MessageId);
        NotEvaluated?.Invoke(rules);
    }

    /// <summary>Schedules another attempt after a failure.</summary>
    public void ArmForRetry()
    {
        lock (Gate)
        {
            Arm((Clock.GetUtcNow() + RetryAfter).UtcTicks);
        }
    }

    /// <summary>Records that a queue has messages for its receivers or for forwarding. Called under the gate.</summary>
    public void Note(MessageQueue queue)
    {
        queue.HasNews = true;
        _news = true;
    }

    /// <summary>Wakes receivers and forwarding after changes under the gate. Must not be called under it.</summary>
    public void Announce()
    {
        while (_news)
        {
            _news = false;
            foreach (var queue in _queues)
            {
                if (queue.HasNews)
                {
                    queue.HasNews = false;
                    queue.Receivers.SetAll();
                    if (queue.Forwards)
                    {
                        queue.Forwarding.Run();
                    }
                }
            }
        }
    }

    /// <summary>Counts a content that another message uses.</summary>
    public void Hold(MessageContent content, bool reserved)
    {
        if (content.Holders++ == 0)
        {
            LiveBytes += content.Length + ContentOverhead;
            Charge(content.Cost, reserved);
        }
    }

    public void Drop(MessageContent content)
    {
        if (--content.Holders == 0)
        {
            LiveBytes -= content.Length + ContentOverhead;
            Budget.Release(content.Cost);
        }
    }

    /// <summary>Counts a message without its content.</summary>
    public void HoldEntry(bool reserved)
    {
        LiveBytes += EntryBytes;
        Charge(MemoryBudget.EntryOverhead, reserved);
    }

    public void DropEntry()
    {
        LiveBytes -= EntryBytes;
        Budget.Release(MemoryBudget.EntryOverhead);
    }

    public void CompactIfDue()
    {
        if (Log is { } log)
        {
            log.CompactIfDue(LiveBytes + (Duplicates?.Bytes ?? 0));
        }
    }

    /// <exception cref="AmqpException">The entity was deleted while a link to it was in use.</exception>
    public void ThrowIfDeleted()
    {
        if (_ended)
        {
            throw new AmqpException(AmqpErrorScope.Delivery, Refusals.EntityNotFound(_name));
        }
    }

    /// <summary>Deletes the store: its messages are deleted, its memory is released, its links end.</summary>
    /// <param name="remove">Deletes its log. If that fails, nothing has changed.</param>
    public void Delete(Action remove)
    {
        lock (Gate)
        {
            remove();
            _ended = true;
            Log = null;
            Duplicates?.Clear();
        }

        foreach (var queue in _queues)
        {
            queue.End();
        }

        Dispose();
    }

    public void Dispose()
    {
        lock (Gate)
        {
            _ended = true;
            Log = null;
        }

        _timer.Dispose();
        foreach (var queue in _queues)
        {
            queue.Dispose();
        }
    }

    // Memory that was not reserved is taken even beyond the limit.
    private void Charge(long bytes, bool reserved)
    {
        if (!reserved)
        {
            Budget.Release(-bytes);
        }
    }

    /// <summary>The settings of the dead-letter queue of a queue.</summary>
    public static QueueSettings GetDeadLetters(QueueSettings settings) =>
        settings with
        {
            MaximumDeliveryCount = int.MaxValue,
            TimeToLive = null,
            DuplicateDetection = null,
            ForwardTo = settings.ForwardDeadLettersTo,
            ForwardDeadLettersTo = null,
        };

    // An exception would have no handler on this thread, so a failure is retried.
    private void OnTimer()
    {
        try
        {
            lock (Gate)
            {
                if (_ended)
                {
                    return;
                }

                RunDue();
            }

            Announce();
        }
        catch (Exception exception)
        {
            EmulatorLog.TimerFailed(Trouble, _name, exception);
            ArmForRetry();
        }
    }

    private void RunDue()
    {
        _armedFor = long.MaxValue;
        var now = Clock.GetUtcNow();
        foreach (var queue in _queues)
        {
            RunDue(queue, now);
            Arm(queue.Contents.NextDue);
            if (queue.Forwards)
            {
                Note(queue);
            }
        }
    }
}
