using System.Collections.Concurrent;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>A clock on which short waits end immediately and are recorded. Longer ones (time-outs) never end.</summary>
internal sealed class ImpatientClock(TimeSpan longestWait) : TimeProvider
{
    private long ticks;

    /// <summary>The waits in order.</summary>
    public ConcurrentQueue<TimeSpan> Waits { get; } = [];

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref ticks);

    public override DateTimeOffset GetUtcNow() => new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime > longestWait || dueTime < TimeSpan.Zero)
        {
            return new Silent();
        }

        Waits.Enqueue(dueTime);
        Interlocked.Add(ref ticks, dueTime.Ticks);
        ThreadPool.QueueUserWorkItem(_ => callback(state));
        return new Silent();
    }

    private sealed class Silent : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() { }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
