using System.Diagnostics;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// Measures a run by its completions. The warm-up is a number of completions that is left out of every figure. The section of the figures begins at the last of
/// these. It ends at the last completion of all, or where a partition of several runs dry, or at the first completion after the measuring time. What follows is
/// the tail, which has another rate. The measure is the same for a strategy with a barrier and one without: between two completions at the same place of a
/// batch are whole batches, with all their costs. Batches are figures.
/// </summary>
internal sealed class RunMeasurement : IDisposable
{
    private readonly TimeProvider timeProvider;
    private readonly Process self = Process.GetCurrentProcess();
    private readonly Process? emulator;
    private readonly Lock gate = new();
    private readonly long createdAt;
    private readonly RunStages stages;
    private readonly CollectorPauses pauses = new();

    // By the places of the sinks.
    private readonly SinkErrorCounter[] sinks;

    private const int MostDegrees = 4096;

    // The section of the figures, and the section that is recorded. They differ only in the tail. Exchanged under the gate, the first one first.
    private volatile MeasuredSection section;
    private volatile MeasuredSection recorded;

    private readonly DegreeHistory degrees = new(MostDegrees);
    private long completed;
    private long deadLettered;
    private long late;

    // Raised by the thread that completes an event.
    private long lastMark;

    // Set once, under the gate.
    private volatile bool warm;

    // The raw timestamp at which the section has lasted long enough.
    private long endsAt = long.MaxValue;

    // The end of the section where the rate is examined earlier. Touched under the gate.
    private long? wholeUntil;
    private bool isHopeless;
    private readonly TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Touched under the gate, a few times in a run.
    private long warmUp;
    private MeasuringTimes times = new(WarmUp: null, Length: null);
    private long? firstBatchAt;
    private UsageReading atStart;
    private UsageReading? atEnd;
    private long? endingAt;
    private long? closedAt;
    private UsageReading? atClose;

    /// <param name="timeProvider">The clock.</param>
    /// <param name="emulator">The emulator's process when this run owns one.</param>
    /// <param name="stages">The stages of the run.</param>
    public RunMeasurement(TimeProvider timeProvider, Process? emulator, RunStages stages)
    {
        this.stages = stages;
        this.timeProvider = timeProvider;
        ProcessorTimes = new ProcessorTimes(timeProvider, emulator);
        sinks = [.. stages.Sinks.Select(static _ => new SinkErrorCounter())];
        this.emulator = emulator;
        createdAt = timeProvider.GetTimestamp();
        recorded = section = new MeasuredSection(createdAt, stages, timeProvider.TimestampFrequency);
        atStart = Read();
    }

    /// <summary>Events complete since the beginning, the warm-up included.</summary>
    public long Completed => Interlocked.Read(ref completed);

    /// <summary>The processor time of this process. It is measured only if it is read.</summary>
    public ProcessorTimes ProcessorTimes { get; }

    /// <summary>Whether the warm-up has ended.</summary>
    public bool IsWarm => warm;

    /// <summary>The section that the figures are of.</summary>
    public MeasuredSection Section => section;

    /// <summary>Time since the first batch, zero before it. When the run is ending, it stops at the last completion.</summary>
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

    /// <summary>Whether the work has ended and only its end is left: closing partitions, and the verdict.</summary>
    public bool IsEnding
    {
        get
        {
            lock (gate)
            {
                return atEnd is not null;
            }
        }
    }

    /// <summary>The section now being recorded: that of the figures, or in the tail a separate one.</summary>
    public MeasuredSection Recorded => recorded;

    /// <summary>Completes when the measuring time has expired, or when a partition of several has run dry before.</summary>
    public Task Ended => ended.Task;

    /// <summary>Whether nothing more is measured: a partition of several has run dry, or the time has expired.</summary>
    public bool IsTail
    {
        get
        {
            lock (gate)
            {
                return closedAt is not null;
            }
        }
    }

    /// <summary>What has been measured so far. Nothing during the warm-up.</summary>
    public MeasuredRate Measured
    {
        get
        {
            lock (gate)
            {
                var now = closedAt ?? (atEnd is null ? timeProvider.GetTimestamp() : Interlocked.Read(ref lastMark));
                return warm ? new MeasuredRate(section.Completed, Between(section.StartedAt, now)) : default;
            }
        }
    }

    /// <summary>Sets how many events are left out before the measuring begins: ten batches, at most a quarter of the backlog.</summary>
    /// <param name="batch">The largest batch.</param>
    /// <param name="backlog">The events that wait. Null where the hub is followed.</param>
    public void WarmUpFor(int batch, long? backlog)
    {
        lock (gate)
        {
            warmUp = Math.Min(10L * batch, (backlog ?? long.MaxValue) / 4);
        }
    }

    /// <summary>Measures by the clock: a time is left out instead of batches, and the section ends after the measuring time.</summary>
    public void MeasureFor(MeasuringTimes asked)
    {
        lock (gate)
        {
            times = asked;
            warmUp = asked.WarmUp is null ? warmUp : 0;
        }
    }

    public void Record(Stage stage, TimeSpan elapsed) => recorded[stage].Record(elapsed);

    /// <param name="inFlight">The events in flight on its partition, itself included.</param>
    public void EventBegun(int inFlight) => recorded.EventBegun(inFlight);

    /// <param name="endToEnd">Its time from end to end.</param>
    public void EventCompleted(TimeSpan endToEnd)
    {
        var now = timeProvider.GetTimestamp();
        Interlocked.Increment(ref completed);
        recorded.EventCompleted(now, endToEnd);
        Mark(now);
        if (!warm)
        {
            lock (gate)
            {
                BeginIfWarm(now);
            }
        }
        else if (now >= Volatile.Read(ref endsAt))
        {
            lock (gate)
            {
                CloseIfHopeless(now);
            }
        }
    }

    public void EventDeadLettered() => Interlocked.Increment(ref deadLettered);

    /// <summary>A strategy has set its degree by itself.</summary>
    public void DegreeChanged(string partition, int degree) => degrees.Add(new DegreeChange(Elapsed, partition, degree));

    public void CompletedLate() => Interlocked.Increment(ref late);

    /// <summary>The counter of failures at a sink, by its place.</summary>
    public SinkErrorCounter AtSink(int sink) => sinks[sink];

    /// <summary>A batch has come. Counted at its beginning: then the section holds as many batches as its completions fill.</summary>
    public void BatchReceived(int events)
    {
        lock (gate)
        {
            if (firstBatchAt is null)
            {
                firstBatchAt = timeProvider.GetTimestamp();
                Begin(firstBatchAt.Value);
                warm = warmUp == 0 && times.WarmUp is null;
            }
        }

        recorded.BatchReceived(events);
    }

    /// <summary>A partition of several has no event left: the tail begins with its last completion. The first of them counts.</summary>
    public void PartitionRanDry()
    {
        lock (gate)
        {
            var now = timeProvider.GetTimestamp();
            if (!warm)
            {
                // No part of the run is warm with all partitions busy, so the section is empty.
                Begin(now);
                warm = true;
            }

            Close(now);
        }
    }

    /// <summary>Called when no event is begun any more. The resources used from here on are not counted for the events.</summary>
    public void Ending()
    {
        lock (gate)
        {
            endingAt ??= timeProvider.GetTimestamp();
            atEnd ??= ReadEnd();
        }
    }

    /// <summary>The figures. Those of the section are empty when the warm-up never ended, or a partition ran dry in it.</summary>
    public RunFigures Finish()
    {
        Ending();
        lock (gate)
        {
            var last = Interlocked.Read(ref lastMark);
            if (!warm)
            {
                recorded = section = new MeasuredSection(last, stages, timeProvider.TimestampFrequency);
                atStart = atEnd!.Value;
            }

            var end = atClose ?? atEnd!.Value;
            return new RunFigures
            {
                Section = section,
                Completed = Completed,
                Claim = firstBatchAt is { } first ? timeProvider.GetElapsedTime(createdAt, first) : null,
                WarmUp = firstBatchAt is { } begun ? Between(begun, section.StartedAt) : null,
                Measured = Between(section.StartedAt, closedAt ?? last),
                MeanEventsInFlight = section.MeanEventsInFlight(closedAt ?? last),
                MeanKeysInFlight = section.MeanKeysInFlight(closedAt ?? last),
                IsHopeless = isHopeless,
                Tail = closedAt is { } dry ? new MeasuredRate(recorded.Completed, Between(dry, last)) : null,
                Whole = ElapsedUnderGate(),
                Drain = firstBatchAt is null ? null : Between(endingAt!.Value, last),
                CpuBetween = (from, to) => ProcessorTimes.Between(section.StartedAt + GetRaw(from), section.StartedAt + GetRaw(to)),
                Sinks = [.. stages.Sinks.Zip(sinks, static (stage, tallying) => (stage.Name, tallying.Counts))],
                DeadLettered = Interlocked.Read(ref deadLettered),
                LateCompletions = Interlocked.Read(ref late),
                Degrees = degrees.Changes,
                ConsumerCpu = end.Consumer?.Cpu - atStart.Consumer?.Cpu,
                ConsumerPeakBytes = atEnd!.Value.Consumer?.PeakMemoryBytes,
                EmulatorCpu = end.Emulator?.Cpu - atStart.Emulator?.Cpu,
                EmulatorPeakBytes = atEnd!.Value.Emulator?.PeakMemoryBytes,
                Runtime = end.Runtime - atStart.Runtime,
                LongestGcPause = end.LongestPause,
                Handles = end.Handles,
                Memory = ProcessorTimes.Memory.Between(section.StartedAt, closedAt ?? last),
                ThreadPool = ProcessorTimes.ThreadPool.Between(section.StartedAt, closedAt ?? last),
            };
        }
    }

    public void Dispose()
    {
        pauses.Dispose();
        self.Dispose();
    }

    private TimeSpan ElapsedUnderGate() =>
        firstBatchAt switch
        {
            null => TimeSpan.Zero,
            { } first when atEnd is not null => Between(first, Interlocked.Read(ref lastMark)),
            { } first => timeProvider.GetElapsedTime(first),
        };

    private long GetRaw(TimeSpan time) => (long)(time.TotalSeconds * timeProvider.TimestampFrequency);

    private TimeSpan Between(long from, long to) => to > from ? timeProvider.GetElapsedTime(from, to) : TimeSpan.Zero;

    // Concurrent completions may come in any order.
    private void Mark(long at) => InterlockedExtremes.KeepLargest(ref lastMark, at);

    private void BeginIfWarm(long now)
    {
        if (!warm && Completed >= warmUp && timeProvider.GetElapsedTime(firstBatchAt ?? now, now) >= (times.WarmUp ?? TimeSpan.Zero))
        {
            Begin(now);
            warm = true;
        }
    }

    private void Begin(long at)
    {
        recorded = section = new MeasuredSection(at, stages, timeProvider.TimestampFrequency);
        atStart = Read();
        pauses.TakeLongest();
        if (times.Length is { } length)
        {
            wholeUntil = times.HopelessBelow is null ? null : at + GetRaw(length);
            Volatile.Write(ref endsAt, at + GetRaw(wholeUntil is null ? length : MeasuringTimes.LookAfter * length));
        }
    }

    private void CloseIfHopeless(long now)
    {
        // A thread that waited for the gate may have been overtaken.
        if (now < endsAt)
        {
            return;
        }

        if (wholeUntil is not { } whole)
        {
            Close(now);
            return;
        }

        var seen = new MeasuredRate(section.Completed, Between(section.StartedAt, now));
        isHopeless = seen.Events >= MeasuringTimes.EventsForLook && seen.EventsPerSecond < times.HopelessBelow;
        wholeUntil = null;
        if (isHopeless || now >= whole)
        {
            Close(now);
            return;
        }

        Volatile.Write(ref endsAt, whole);
    }

    // The first reason counts. A thread that completes an event at the same time may come for the second.
    private void Close(long at)
    {
        if (closedAt is null)
        {
            closedAt = at;
            atClose = ReadEnd();
            recorded = new MeasuredSection(at, stages, timeProvider.TimestampFrequency);
            Volatile.Write(ref endsAt, long.MaxValue);
            ended.TrySetResult();
        }
    }

    private UsageReading Read() => new(ProcessUsage.Of(self), emulator is null ? null : ProcessUsage.Of(emulator), RuntimeUsage.Now());

    // The readings that only the end of a section needs.
    private UsageReading ReadEnd() => Read() with { LongestPause = pauses.TakeLongest(), Handles = ProcessUsage.GetHandles(self) };

    private readonly record struct UsageReading(ProcessUsage? Consumer, ProcessUsage? Emulator, RuntimeUsage Runtime)
    {
        public TimeSpan? LongestPause { get; init; }

        public int? Handles { get; init; }
    }
}
