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
/// What belongs together and changes together: a queue and its dead-letter queue, or a topic and all its subscriptions. One gate,
/// one log and one timer, so that a message moves between its queues in one step and an idle entity costs nothing.
/// </summary>
internal sealed class MessageStore : IDisposable
{
    // What a message takes in a log beside its content, and each queue's share of it. Rather more than less.
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

    // Under the gate.
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

    /// <summary>Finds what messages are forwarded to.</summary>
    public Func<string, IMessageEntity?> Find { get; }

    /// <summary>Told of what fails and is tried again.</summary>
    public ILogger Trouble { get; }

    /// <summary>Is given what rules could not be evaluated, before the message is stored. Null without a journal.</summary>
    public Action<RulesNotEvaluated>? NotEvaluated { get; init; }

    /// <summary>Null when nothing is kept beyond the process.</summary>
    public StoreLog? Log { get; private set; }

    public IReadOnlyList<MessageQueue> Queues => _queues;

    /// <summary>The ids that its queue or its topic looks for. Null when nobody looks for duplicates. Under the gate.</summary>
    public DuplicateWindow? Duplicates { get; private set; }

    /// <summary>What a log of nothing but the present messages would take, roughly. Under the gate.</summary>
    public long LiveBytes { get; private set; }

    public MessageQueue? Queue(int id) => Array.Find(_queues, queue => queue.Id == id);

    /// <summary>Begins to remember message ids, if they are to be remembered.</summary>
    public DuplicateWindow? Watch(TimeSpan? length) => length is { } window ? Duplicates = new DuplicateWindow(window, Budget) : null;

    /// <summary>Adds a queue and its dead-letter queue.</summary>
    /// <param name="id">Its number. The dead-letter queue has the next one.</param>
    /// <param name="name">Its path.</param>
    /// <param name="settings">Its rules.</param>
    /// <param name="route">Where its scheduled messages go. Null for the queue itself.</param>
    public MessageQueue AddQueue(int id, string name, QueueSettings settings, Func<MessageContent, IReadOnlyList<MessageQueue>>? route = null)
    {
        var dead = new MessageQueue(this, id + 1, $"{name}/{AmqpNames.DeadLetterSuffix}", DeadLettersOf(settings), deadLetters: null, route: null);
        var queue = new MessageQueue(this, id, name, settings, dead, route);
        lock (Gate)
        {
            _queues = [.. _queues, queue, dead];
        }

        return queue;
    }

    /// <summary>Remembers message ids for longer or shorter, if they are remembered at all. Under the gate.</summary>
    public void Resize(TimeSpan? window)
    {
        if (Duplicates is { } duplicates && window is { } length)
        {
            duplicates.Length = length;
        }
    }

    /// <summary>Takes a queue and its dead-letter queue away with all they hold.</summary>
    public void RemoveQueue(MessageQueue queue)
    {
        lock (Gate)
        {
            _queues = [.. _queues.Where(other => other != queue && other != queue.DeadLetters)];
        }

        queue.End();
        queue.DeadLetters?.End();
    }

    /// <summary>Ends the recovery: whatever the log held is in its place, and new records go to it. Nothing moves by itself yet.</summary>
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

    /// <summary>Lets time and forwarding begin. Every store that messages may be forwarded to has been resumed.</summary>
    public void Start()
    {
        lock (Gate)
        {
            _started = true;
            RunDue();
        }

        Announce();
    }

    /// <summary>Makes sure that the timer fires by then. Under the gate.</summary>
    public void Arm(long due)
    {
        // What comes before the start is looked at when it starts.
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

    /// <summary>Does what time demands of one queue. Under the gate.</summary>
    public void RunDue(MessageQueue queue, DateTimeOffset now)
    {
        try
        {
            queue.Contents.RunDue(now);
        }
        catch (IOException exception)
        {
            // The disk refuses: everything is as it was, and is tried again.
            EmulatorLog.TimerFailed(Trouble, queue.Name, exception);
            Arm((now + RetryAfter).UtcTicks);
        }
    }

    /// <summary>Writes rules that could not be evaluated for a message to log and journal.</summary>
    /// <exception cref="IOException">The journal could not be written.</exception>
    public void Report(RulesNotEvaluated rules)
    {
        EmulatorLog.RulesNotEvaluated(Trouble, rules.Entity, rules.Count, rules.Rule, rules.MessageId);
        NotEvaluated?.Invoke(rules);
    }

    /// <summary>Something failed that is worth another attempt.</summary>
    public void ArmForRetry()
    {
        lock (Gate)
        {
            Arm((Clock.GetUtcNow() + RetryAfter).UtcTicks);
        }
    }

    /// <summary>Notes that a queue has something for its receivers or its forwarding. Under the gate.</summary>
    public void Note(MessageQueue queue)
    {
        queue.HasNews = true;
        _news = true;
    }

    /// <summary>Wakes whoever waits for what happened under the gate. Not to be called under it.</summary>
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

    /// <summary>Counts a content that one more message has.</summary>
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

    /// <summary>Counts a message, beside its content.</summary>
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

    /// <summary>Ends the store for good: its messages are gone, its memory is free, its links end.</summary>
    /// <param name="remove">Removes its log. When that fails, nothing has happened.</param>
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

    // What is not reserved is taken all the same.
    private void Charge(long bytes, bool reserved)
    {
        if (!reserved)
        {
            Budget.Release(-bytes);
        }
    }

    /// <summary>The rules of the dead-letter queue of a queue.</summary>
    public static QueueSettings DeadLettersOf(QueueSettings settings) =>
        settings with
        {
            MaximumDeliveryCount = int.MaxValue,
            TimeToLive = null,
            DuplicateDetection = null,
            ForwardTo = settings.ForwardDeadLettersTo,
            ForwardDeadLettersTo = null,
        };

    // Nobody is above it who could catch anything: what fails is tried again.
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
