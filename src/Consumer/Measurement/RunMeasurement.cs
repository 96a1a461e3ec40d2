using System.Diagnostics;

namespace EventHubThroughput.Consumer.Measurement;

/// <summary>
/// Measures a run: first a warm-up that is left out of every figure, then one section up to the last batch end. A section begins
/// and ends between two batches, so that it holds whole batches with everything that each of them costs.
/// </summary>
internal sealed class RunMeasurement : IDisposable
{
    private readonly TimeProvider timeProvider;
    private readonly Process self = Process.GetCurrentProcess();
    private readonly Process? emulator;
    private readonly Lock gate = new();
    private readonly long createdAt;

    private volatile MeasuredSection section;
    private long completed;
    private long retries;
    private long deadLettered;
    private long late;

    // Touched under the gate, once per batch.
    private long warmUp;
    private bool warm;
    private long? firstBatchAt;
    private long lastBatchAt;
    private bool finished;
    private UsageReading atStart;

    /// <param name="timeProvider">The clock.</param>
    /// <param name="emulator">The emulator's process when this run owns one.</param>
    public RunMeasurement(TimeProvider timeProvider, Process? emulator)
    {
        this.timeProvider = timeProvider;
        this.emulator = emulator;
        createdAt = timeProvider.GetTimestamp();
        section = new MeasuredSection(createdAt);
        atStart = Read();
    }

    /// <summary>Events complete since the beginning, the warm-up included.</summary>
    public long Completed => Interlocked.Read(ref completed);

    /// <summary>The section now being recorded.</summary>
    public MeasuredSection Section => section;

    /// <summary>Time since the first batch, zero before it; stands still at the end of the last batch when the run is over.</summary>
    public TimeSpan Elapsed
    {
        get
        {
            lock (gate)
            {
                return ElapsedUnderGate();
            }
        }
    }

    /// <summary>Says how many events are left out before the measuring begins: ten batches, at most a quarter of the backlog.</summary>
    public void WarmUpFor(int batch, long? backlog)
    {
        lock (gate)
        {
            warmUp = Math.Min(10L * batch, (backlog ?? long.MaxValue) / 4);
        }
    }

    public void Record(Stage stage, TimeSpan elapsed) => section[stage].Record(elapsed);

    public void EventCompleted()
    {
        Interlocked.Increment(ref completed);
        section.EventCompleted();
    }

    public void EventDeadLettered() => Interlocked.Increment(ref deadLettered);

    public void CompletedLate() => Interlocked.Increment(ref late);

    public void Retried() => Interlocked.Increment(ref retries);

    public void BatchStarted()
    {
        lock (gate)
        {
            if (firstBatchAt is null)
            {
                firstBatchAt = timeProvider.GetTimestamp();
                Begin(firstBatchAt.Value);
                warm = warmUp == 0;
            }
        }
    }

    public void BatchEnded(int events)
    {
        section.BatchEnded(events);
        lock (gate)
        {
            lastBatchAt = timeProvider.GetTimestamp();
            if (!warm && Completed >= warmUp)
            {
                warm = true;
                Begin(lastBatchAt);
            }
        }
    }

    /// <summary>The figures up to the last batch end.</summary>
    public RunFigures Finish()
    {
        lock (gate)
        {
            finished = true;
            var now = Read();
            var measured = lastBatchAt > section.StartedAt ? timeProvider.GetElapsedTime(section.StartedAt, lastBatchAt) : TimeSpan.Zero;
            return new RunFigures
            {
                Section = section,
                Completed = Completed,
                Claim = firstBatchAt is { } first ? timeProvider.GetElapsedTime(createdAt, first) : null,
                WarmUp = firstBatchAt is { } begun ? timeProvider.GetElapsedTime(begun, section.StartedAt) : null,
                Measured = measured,
                Whole = ElapsedUnderGate(),
                Retries = Interlocked.Read(ref retries),
                DeadLettered = Interlocked.Read(ref deadLettered),
                LateCompletions = Interlocked.Read(ref late),
                ConsumerCpu = now.Consumer?.Cpu - atStart.Consumer?.Cpu,
                ConsumerPeakBytes = now.Consumer?.PeakMemoryBytes,
                EmulatorCpu = now.Emulator?.Cpu - atStart.Emulator?.Cpu,
                EmulatorPeakBytes = now.Emulator?.PeakMemoryBytes,
                Runtime = now.Runtime - atStart.Runtime,
            };
        }
    }

    public void Dispose() => self.Dispose();

    private TimeSpan ElapsedUnderGate() =>
        firstBatchAt switch
        {
            null => TimeSpan.Zero,
            { } first when finished => lastBatchAt > first ? timeProvider.GetElapsedTime(first, lastBatchAt) : TimeSpan.Zero,
            { } first => timeProvider.GetElapsedTime(first),
        };

    private void Begin(long at)
    {
        section = new MeasuredSection(at);
        atStart = Read();
    }

    private UsageReading Read() => new(ProcessUsage.Of(self), emulator is null ? null : ProcessUsage.Of(emulator), RuntimeUsage.Now());

    private readonly record struct UsageReading(ProcessUsage? Consumer, ProcessUsage? Emulator, RuntimeUsage Runtime);
}
