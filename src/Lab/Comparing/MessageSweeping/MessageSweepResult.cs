using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The result of a processor sweep: the options, every cell, and the conclusions. Units are in the names.</summary>
internal sealed record MessageSweepResult
{
    /// <summary>Which sweep it was.</summary>
    public required MessageSweepHeader Sweep { get; init; }

    /// <summary>Which build measured.</summary>
    public required ProgramDetails Program { get; init; }

    /// <summary>What it ran on.</summary>
    public required MachineDetails Machine { get; init; }

    /// <summary>The conclusions, the answer first.</summary>
    public required IReadOnlyList<string> Sentences { get; init; }

    /// <summary>Every cell in the order in which it was run.</summary>
    public required IReadOnlyList<MessageCell> Cells { get; init; }
}

/// <summary>The identity and the options of a processor sweep.</summary>
internal sealed record MessageSweepHeader
{
    /// <summary>The name of the scenario, which distinguishes its documents from others.</summary>
    public const string Name = ComparisonForm.ProcessorScenario;

    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The scenario.</summary>
    public required string Scenario { get; init; }

    /// <summary>When it began, by the clock of the machine.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The arguments of the program. No secret is ever one.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>How processes were limited.</summary>
    public required string LimitMethod { get; init; }

    /// <summary>The latency profile.</summary>
    public required string Profile { get; init; }

    /// <summary>For how long each cell was measured, and how much was left out before, in seconds.</summary>
    public required double MeasureS { get; init; }

    /// <inheritdoc cref="MeasureS"/>
    public required double WarmUpS { get; init; }

    /// <summary>How long each handler blocked its thread, in milliseconds.</summary>
    public double BlockMs { get; init; }

    /// <summary>Whether it contains every planned cell.</summary>
    public required bool Complete { get; init; }
}
