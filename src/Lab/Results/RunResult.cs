using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Results;

/// <summary>
/// The result of a run, schema 1. Units are in the names, missing is null and never 0, and no secret is in it.
/// </summary>
internal sealed record RunResult
{
    /// <summary>Which run it was and how it ended.</summary>
    public required RunHeader Run { get; init; }

    /// <summary>Which build measured.</summary>
    public required ProgramDetails Program { get; init; }

    /// <summary>What it ran on.</summary>
    public required MachineDetails Machine { get; init; }

    /// <summary>How events were processed.</summary>
    public required StrategyDetails Strategy { get; init; }

    /// <summary>The input of the run.</summary>
    public required InputDetails Input { get; init; }

    /// <summary>Which latencies and faults the emulator was asked for, and what it kept of them.</summary>
    public required ProfileDetails Profile { get; init; }

    /// <summary>The parts of the run's time.</summary>
    public required TimeFigures Time { get; init; }

    /// <summary>The rate of the measured section.</summary>
    public required ThroughputFigures Throughput { get; init; }

    /// <summary>The parts of an event's time, by the name of the stage: each sink, and the stages that every run has.</summary>
    public required IReadOnlyDictionary<string, StageFigures> Stages { get; init; }

    /// <summary>A few consecutive events with the times of their writes. Null where none came after the warm-up, and in results of earlier versions.</summary>
    public SampledEvents? Sample { get; init; }

    /// <summary>Failures and retries.</summary>
    public required ErrorCounts Errors { get; init; }

    /// <summary>What the processes used.</summary>
    public required ResourceFigures Resources { get; init; }

    /// <summary>The verdict by ledger and journal.</summary>
    public required SafetyFigures Safety { get; init; }

    /// <summary>The verdict by ledger and what the subscription of the run's topic holds. Null where the run has no separate topic.</summary>
    public SafetyFigures? ReadBack { get; init; }

    /// <summary>The model's prediction. Null where the model does not cover such a run.</summary>
    public ModelComparison? Model { get; init; }

    /// <summary>What may have limited the rate.</summary>
    public required BoundDetails Bounds { get; init; }
}
