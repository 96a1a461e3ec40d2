namespace EventHubThroughput.Lab.Measurement;

/// <summary>What was measured. Null is "not known", never zero.</summary>
internal sealed record RunFigures
{
    public required MeasuredSection Section { get; init; }

    /// <summary>Events completed in the whole run, the warm-up included.</summary>
    public required long Completed { get; init; }

    /// <summary>From the start until the first batch.</summary>
    public TimeSpan? Claim { get; init; }

    public TimeSpan? WarmUp { get; init; }

    /// <summary>The length of the section.</summary>
    public required TimeSpan Measured { get; init; }

    /// <summary>What was completed after a partition of several had run dry. Null where none has, as in a run over one.</summary>
    public MeasuredRate? Tail { get; init; }

    /// <summary>Whether measuring ended after a part of its time, because the rate was below the hopeless rate.</summary>
    public bool IsHopeless { get; init; }

    /// <summary>Events that the warm-up completed.</summary>
    public long WarmUpEvents => Completed - Section.Completed - (Tail?.Events ?? 0);

    /// <summary>From the first batch to the end of the last one, or the last completion if that came later. The warm-up included.</summary>
    public TimeSpan Whole { get; init; }

    /// <summary>From the end of the intake until the last completion. Null where no event came.</summary>
    public TimeSpan? Drain { get; init; }

    /// <summary>The consumer's processor time between two moments since the section began. Null where it is not known.</summary>
    public Func<TimeSpan, TimeSpan, TimeSpan?>? CpuBetween { get; init; }

    /// <summary>The failed tries and cut writes at each sink, in their order.</summary>
    public IReadOnlyList<(string Sink, SinkErrorCounts Tally)> Sinks { get; init; } = [];

    /// <summary>Tries of writes after their first one, at all sinks.</summary>
    public long Retries => Sinks.Sum(static sink => sink.Tally.Retries);

    /// <summary>Events stored among the dead letters instead of being completed.</summary>
    public long DeadLettered { get; init; }

    /// <summary>A few consecutive events after the warm-up. Null without any.</summary>
    public SampledEvents? Sample { get; init; }

    /// <summary>Completions that came after their ownership had ended, and were dropped.</summary>
    public long LateCompletions { get; init; }

    /// <summary>The degrees that the strategy has set by itself, in the whole run.</summary>
    public IReadOnlyList<DegreeChange> Degrees { get; init; } = [];

    /// <summary>The mean memory in the section.</summary>
    public MemoryFigures Memory { get; init; }

    /// <summary>The longest pause of the collector in the section. Null where there was none.</summary>
    public TimeSpan? LongestGcPause { get; init; }

    /// <summary>Open files and sockets at its end. Null where the system does not report them.</summary>
    public int? Handles { get; init; }

    public TimeSpan? ConsumerCpu { get; init; }

    public long? ConsumerPeakBytes { get; init; }

    public TimeSpan? EmulatorCpu { get; init; }

    public long? EmulatorPeakBytes { get; init; }

    /// <summary>What the sender used over its whole life, its start included: it has ended before anything is measured.</summary>
    public ProcessUsage? Sender { get; init; }

    public RuntimeUsage Runtime { get; init; }

    /// <summary>The thread pool in the section. Null where it was not read.</summary>
    public ThreadPoolFigures? ThreadPool { get; init; }

    /// <summary>The mean over time of the events in flight, over all partitions, independent of their durations. Null where nothing was measured.</summary>
    public double? MeanEventsInFlight { get; init; }

    /// <summary>The mean over time of the distinct keys among the events in flight, over all partitions. Null where events have none.</summary>
    public double? MeanKeysInFlight { get; init; }

    /// <summary>
    /// The mean over the measured section of the degree that the strategy has set by itself, over all partitions together. Null where it has set none.
    /// </summary>
    public double? MeanDegreeSet =>
        Degrees.Count == 0 || Measured <= TimeSpan.Zero
            ? null
            : Degrees.GroupBy(static change => change.Partition, StringComparer.Ordinal).Sum(changes => GetMean([.. changes]));

    public double? EventsPerSecond => new MeasuredRate(Section.Completed, Measured).EventsPerSecond;

    /// <summary>The mean of the batch sizes that occurred.</summary>
    public double? MeanBatch
    {
        get
        {
            var (batches, events) = Section.BatchSizes.Aggregate((0L, 0L), (sum, size) => (sum.Item1 + size.Value, sum.Item2 + (size.Key * size.Value)));
            return batches == 0 ? null : (double)events / batches;
        }
    }

    public double? ConsumerCpuMicrosecondsPerEvent => PerEvent(ConsumerCpu, Section.Completed);

    public double? EmulatorCpuMicrosecondsPerEvent => PerEvent(EmulatorCpu, Section.Completed);

    public double? AllocatedBytesPerEvent => Section.Completed > 0 ? (double)Runtime.AllocatedBytes / Section.Completed : null;

    // A degree holds until the next one is set. The first one counts from the beginning of the section on.
    private double GetMean(DegreeChange[] changes)
    {
        var start = WarmUp ?? TimeSpan.Zero;
        var end = start + Measured;
        var held = 0.0;
        for (var place = 0; place < changes.Length; place++)
        {
            var from = place == 0 ? start : Within(changes[place].At);
            var until = place + 1 < changes.Length ? Within(changes[place + 1].At) : end;
            held += changes[place].Degree * (until - from).TotalSeconds;
        }

        return held / Measured.TotalSeconds;

        TimeSpan Within(TimeSpan at) => TimeSpan.FromTicks(Math.Clamp(at.Ticks, start.Ticks, end.Ticks));
    }

    private static double? PerEvent(TimeSpan? cpu, long? events) => cpu is { } used && events > 0 ? used.TotalMicroseconds / events : null;
}

/// <summary>
/// The one rate of a run, for all its reports: the events completed since the warm-up, and the time in which they were. Both are from a single reading.
/// </summary>
internal readonly record struct MeasuredRate(long Events, TimeSpan Time)
{
    /// <summary>Null until an event of the section is complete.</summary>
    public double? EventsPerSecond => Time > TimeSpan.Zero && Events > 0 ? Events / Time.TotalSeconds : null;
}
