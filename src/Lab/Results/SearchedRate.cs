using EventHubThroughput.Comparison;

namespace EventHubThroughput.Lab.Results;

/// <summary>How the sustainable rate of a cell was searched.</summary>
internal sealed record SearchedRate
{
    /// <summary>The largest rate that was kept, in events a second. Null where none was.</summary>
    public double? KeptPerS { get; init; }

    /// <summary>The smallest rate that was not kept, or could not be sent. Null where there was none.</summary>
    public double? NotKeptPerS { get; init; }

    /// <summary>How the search has ended.</summary>
    public required RateSearchEnd End { get; init; }

    /// <summary>Every run of it, in order.</summary>
    public required IReadOnlyList<TriedRate> Runs { get; init; }
}

/// <summary>One run of a search.</summary>
internal sealed record TriedRate
{
    /// <summary>The rate that was tried, in events a second.</summary>
    public required double RatePerS { get; init; }

    /// <summary>The outcome of the run.</summary>
    public required RateOutcome Outcome { get; init; }

    /// <summary>The rate that the sender kept. Null where it reported none.</summary>
    public double? AchievedPerS { get; init; }

    /// <summary>By how many seconds a second the time of an event rose. Null where that cannot be determined.</summary>
    public double? LagGrowth { get; init; }

    /// <summary>Percentile 99 of the time of an event since its scheduled send time, in milliseconds. Null with too few events.</summary>
    public double? EndToEndP99Ms { get; init; }
}
