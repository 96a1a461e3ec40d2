using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Results;

/// <summary>Which run it was and how it ended.</summary>
internal sealed record RunHeader
{
    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The name of the run.</summary>
    public required string Id { get; init; }

    /// <summary>When it began, by the clock of the machine.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>What the document tells of, here a run.</summary>
    public required ResultKind Kind { get; init; }

    /// <summary>Why processing ended.</summary>
    public required ProcessingEnd End { get; init; }

    /// <summary>The exit code that verdict and faults amount to.</summary>
    public required int ExitCode { get; init; }

    /// <summary>What ended it, and what came up at the end, a line each.</summary>
    public required IReadOnlyList<string> Faults { get; init; }
}
