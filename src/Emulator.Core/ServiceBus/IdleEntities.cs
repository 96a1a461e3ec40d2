using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Deletes queues, topics and subscriptions that were idle for the time of their descriptions. Without such entities the timer is off. Safe for several
/// threads.
/// </summary>
internal sealed class IdleEntities : IDisposable
{
    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(1);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly ServiceBusRegistry _entities;
    private readonly TimeProvider _clock;
    private readonly DateTimeOffset _began;
    private readonly ILogger _log;
    private readonly ITimer _timer;

    public IdleEntities(ServiceBusRegistry entities, TimeProvider clock, ILogger log)
    {
        (_entities, _clock, _began, _log) = (entities, clock, clock.GetUtcNow(), log);
        _timer = clock.CreateTimer(static state => ((IdleEntities)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Deletes idle entities and sets the timer for the next one. Call it whenever an entity may have got an idle time.</summary>
    public void Look()
    {
        lock (_gate)
        {
            var now = _clock.GetUtcNow();
            TimeSpan? next = null;
            foreach (var queue in _entities.AllQueues)
            {
                Visit(queue.Name, queue.Settings.Notes, () => GetLastUse(queue, now), () => _entities.DeleteQueue(queue.Name));
            }

            foreach (var topic in _entities.AllTopics)
            {
                foreach (var subscription in topic.Subscriptions)
                {
                    Visit(
                        $"{topic.Name}/{subscription.Settings.Name}",
                        subscription.Settings.Notes,
                        () => GetLastUse(subscription, now),
                        () => _entities.DeleteSubscription(topic.Name, subscription.Settings.Name)
                    );
                }

                Visit(topic.Name, topic.Settings.Notes, () => GetLastUse(topic, now), () => _entities.DeleteTopic(topic.Name));
            }

            if (next is { } wait)
            {
                _timer.Change(wait < LongestWait ? wait : LongestWait, Timeout.InfiniteTimeSpan);
            }

            void Visit(string name, EntityMetadata notes, Func<DateTimeOffset> lastUse, Action delete)
            {
                if (notes.IdleLimit is not { } limit)
                {
                    return;
                }

                // Another thread may have used it later than now, and a clock may be set back. The longest limit has no room for more.
                var unused = now - Latest(lastUse(), notes.Changed);
                var left = unused > TimeSpan.Zero ? limit - unused : limit;
                left = left <= TimeSpan.Zero && !Done(name, delete) ? RetryAfter : left;
                next = left > TimeSpan.Zero && (next is null || left < next) ? left : next;
            }
        }
    }

    public void Dispose() => _timer.Dispose();

    private bool Done(string name, Action delete)
    {
        try
        {
            delete();
            return true;
        }
        catch (IOException exception)
        {
            // The disk refuses. The entity still exists and is checked again.
            EmulatorLog.IdleNotDeleted(_log, name, exception);
            return false;
        }
    }

    private static DateTimeOffset Latest(DateTimeOffset first, DateTimeOffset? second) => second > first ? second.Value : first;

    // A waiting receiver counts as use, and so does a scheduled message.
    private DateTimeOffset GetLastUse(MessageQueue queue, DateTimeOffset now) =>
        queue.Receivers.Count > 0 || queue.DeadLetters?.Receivers.Count > 0 || queue.Statistics.Scheduled > 0
            ? now
            : Latest(Latest(_began, queue.LastUse.Time), queue.DeadLetters?.LastUse.Time);

    private DateTimeOffset GetLastUse(Subscription subscription, DateTimeOffset now) =>
        Latest(GetLastUse(subscription.Queue, now), subscription.Settings.Notes.Changed);

    // Use of a subscription counts as use of its topic.
    private DateTimeOffset GetLastUse(Topic topic, DateTimeOffset now) =>
        topic.Subscriptions.Aggregate(
            Latest(GetLastUse(topic.Scheduled, now), topic.LastUse.Time),
            (latest, subscription) => Latest(latest, GetLastUse(subscription, now))
        );
}

/// <summary>When an entity was last sent to, received from or peeked. Safe for several threads.</summary>
internal sealed class LastUse
{
    private long _ticks;

    /// <summary>Null when it was not used since the start of the emulator.</summary>
    public DateTimeOffset? Time => Volatile.Read(ref _ticks) is > 0 and var ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    public void Note(DateTimeOffset now) => Volatile.Write(ref _ticks, now.UtcTicks);
}
