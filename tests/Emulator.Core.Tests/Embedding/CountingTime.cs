namespace EventHubThroughput.Emulator.Core.Tests.Embedding;

/// <summary>The system's time, and how many of its timers have not been disposed of.</summary>
internal sealed class CountingTime : TimeProvider
{
    private int _timers;

    public int Timers => Volatile.Read(ref _timers);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Interlocked.Increment(ref _timers);
        return new Plural(System.CreateTimer(callback, state, dueTime, period), this);
    }

    private sealed class Plural(ITimer timer, CountingTime time) : ITimer
    {
        private int _disposed;

        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(dueTime, period);

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _disposed, 1) == 0)
            {
                Interlocked.Decrement(ref time._timers);
                timer.Dispose();
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
