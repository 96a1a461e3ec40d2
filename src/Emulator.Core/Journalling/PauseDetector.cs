namespace EventHubThroughput.Emulator.Journalling;

/// <summary>
/// Notices that the emulator did nothing for a time, because its process or its machine was stopped, and records it: a timer of its own came late. Clients
/// give up what lies in a socket meanwhile and send it again. Safe for several threads.
/// </summary>
internal sealed class PauseDetector : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    // A busy machine delays a timer as well. The verdict lets a writer wait for a second.
    private static readonly TimeSpan Tolerated = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly EmulatorJournal journal;
    private readonly TimeProvider clock;
    private readonly ITimer timer;

    // Under the gate.
    private long last;

    public PauseDetector(EmulatorJournal journal, TimeProvider clock)
    {
        this.journal = journal;
        this.clock = clock;
        last = clock.GetTimestamp();
        timer = clock.CreateTimer(static state => ((PauseDetector)state!).Look(), this, Interval, Interval);
    }

    /// <summary>May be called twice. A look that is under way ends in its own time.</summary>
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
