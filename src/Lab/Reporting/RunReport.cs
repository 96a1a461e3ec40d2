using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Model;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>All facts of a run that has ended. Summary and result file are built from them.</summary>
internal sealed record RunReport
{
    // In mean times of an event. The two ends then cause an error of 2 %, if the times vary no more than exponentially.
    private const int ShortestForLittle = 50;

    public required RunOptions Options { get; init; }

    public required DateTimeOffset StartedUtc { get; init; }

    public required RunFigures Figures { get; init; }

    public required ProcessingEnd End { get; init; }

    public required IReadOnlyList<ProcessingFault> Faults { get; init; }

    public required VerdictReport VerdictReport { get; init; }

    /// <summary>The verdict by what the subscription of the run's topic holds. Null where the run has no separate topic.</summary>
    public VerdictReport? ReadBack { get; init; }

    public required int Partitions { get; init; }

    /// <summary>Events that waited at the start. Null for a run that follows the hub.</summary>
    public long? Backlog { get; init; }

    /// <summary>What the sender beside the run reports. Null where the hub was filled before, or is not this run's own.</summary>
    public SentFigures? Sent { get; init; }

    /// <summary>Uploads that found their blob in place, with the same bytes.</summary>
    public long RepeatedBlobs { get; init; }

    /// <summary>Events that were held at some time because a write of them kept failing.</summary>
    public long BlockedEvents { get; init; }

    /// <summary>Breaches of invariants that were only counted, because the strategy is unsafe.</summary>
    public long CountedBreaches { get; init; }

    /// <summary>The model's prediction. Null where it does not apply.</summary>
    public Prediction? Prediction { get; init; }

    /// <summary>Whether the batches were full enough to be compared with the model.</summary>
    public bool Comparable => FillsBatches(Figures.Section.BatchSizes, Options.Processing.BatchSize);

    /// <summary>Whether batches of these sizes were full enough: on average 95 % of the largest.</summary>
    public static bool FillsBatches(IReadOnlyDictionary<int, long> sizes, int largest) =>
        sizes.Sum(static size => size.Key * size.Value) >= 0.95 * largest * sizes.Values.Sum() && sizes.Count > 0;

    /// <summary>The requested and the kept latency of the emulator, for each operation that occurred. Empty where it is not this run's own.</summary>
    public IReadOnlyList<InjectedLatency> Latencies { get; init; } = [];

    /// <summary>
    /// The mean of the events in flight by Little's law, rate times mean time. Null over several partitions, because it cannot be assigned to one.
    /// </summary>
    public double? MeanDegree => Partitions == 1 ? StageFigures.Of(Figures.Section[Stage.Event], Figures.Measured).MeanInFlight : null;

    /// <summary>
    /// Little's law for the time of an event. Null where nothing was measured. Null where events were held or dead-lettered, because their times are not those
    /// in flight. Null where what is in flight at either end weighs too much.
    /// </summary>
    public LittleCheck? Little =>
        Figures is { MeanEventsInFlight: { } mean, EventsPerSecond: not null, DeadLettered: 0 }
        && BlockedEvents == 0
        && Figures.Section[Stage.Event] is { Count: > 0 } times
        && Figures.Measured >= ShortestForLittle * times.Mean
            ? LittleCheck.Of(times.Count / Figures.Measured.TotalSeconds, times.Mean.TotalSeconds, mean)
            : null;

    /// <summary>What limited the rate.</summary>
    public RateBound Bound =>
        RateBounds.Of(
            Figures,
            withoutLatency: Profile == "none",
            EmulatorCeiling,
            fed: Options.IsFed || (!RanOut && (Comparable || FillsItsDegree)),
            Environment.ProcessorCount
        );

    // A strategy that continues before the end of a batch needs no full ones to be busy. One that sets its degree by itself is compared with what it has set.
    private bool FillsItsDegree =>
        !Options.Processing.Strategy.IsBarrier && MeanDegree >= 0.95 * (Figures.MeanDegreeSet ?? Options.Processing.MaxConcurrencyInForce);

    public string Profile => Options.Profile ?? "unknown";

    /// <summary>The emulator's own rate on this machine. Null where it was not measured.</summary>
    public int? EmulatorCeiling => Options.Load?.EmulatorCeiling ?? Options.Emulator?.Ceiling;

    /// <summary>Whether the section has the requested length.</summary>
    public bool MeasuredInFull => Figures.Measured >= Options.Measuring?.Length;

    // The backlog ended before the measuring time.
    private bool RanOut => Options.Measuring?.Length is not null && !MeasuredInFull && !Figures.IsHopeless;

    public int Code => ExitCode.Worst([VerdictReport.Code, ReadBack?.Code ?? ExitCode.Done, .. Faults.Select(FaultExitCode.Of)]);
}
