namespace EventHubThroughput.Emulator.Journalling;

/// <summary>
/// Detects that the process or the machine was paused, by a timer that fires late, and records it. In the meantime clients abandon requests that are in a
/// socket, and send them again. Safe for several threads.
/// </summary>
internal sealed class PauseDetector : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    // A busy machine delays a timer too. The verdict allows a writer one second.
    private static readonly TimeSpan Tolerated = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly EmulatorJournal journal;
    private readonly TimeProvider clock;
    private readonly ITimer timer;

    // Guarded by the gate.
    private long last;

    public PauseDetector(EmulatorJournal journal, TimeProvider clock)
    {
        this.journal = journal;
        this.clock = clock;
        last = clock.GetTimestamp();
        timer = clock.CreateTimer(static state => ((PauseDetector)state!).Look(), this, Interval, Interval);
    }

    /// <summary>May be called twice. A check that is running is not awaited.</summary>
    public void Dispose() => timer.Dispose();

    private void Look()
    {
        TimeSpan elapsed;
        lock (gate)
        {
            var now = clock.GetTimestamp();
            elapsed = clock.GetElapsedTime(last, now);
            last = now;
        }

        if (elapsed > Interval + Tolerated)
        {
            journal.Stood(elapsed);
        }
    }
}
