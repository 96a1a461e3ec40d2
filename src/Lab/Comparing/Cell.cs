using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>One run of one configuration in one block.</summary>
/// <param name="ComparedConfiguration">The configuration that runs.</param>
/// <param name="Block">Its block, from 0.</param>
/// <param name="Place">Its place in the block, from 0.</param>
/// <param name="Names">The names of its runs.</param>
internal sealed record Cell(ComparedConfiguration ComparedConfiguration, int Block, int Place, CellNames Names)
{
    /// <summary>The rate below which it ends early. Null measures it in full.</summary>
    public double? HopelessBelow { get; init; }
}

/// <summary>A cell that has ended.</summary>
/// <param name="Cell">The cell.</param>
/// <param name="Result">The result of its process. Null where it wrote none.</param>
/// <param name="Evidence">What the services have of it.</param>
/// <param name="Failure">Why it has no result, in a line. Null where it ended normally.</param>
internal sealed record FinishedCell(Cell Cell, RunResult? Result, CellEvidence Evidence, string? Failure)
{
    /// <summary>The latencies that the emulator kept meanwhile.</summary>
    public IReadOnlyList<InjectedLatency> Latencies => Evidence.Latencies;

    /// <summary>The hub that it has read.</summary>
    public required CellHub Hub { get; init; }

    /// <summary>How its events were sent. Null where the hub was filled before.</summary>
    public SentFigures? Sent { get; init; }

    /// <summary>How its sustainable rate was searched. Null where it was not.</summary>
    public SearchedRate? Search { get; init; }

    private const string Unsettled = "no steady state: its rate still changed, or varied more than the times of its events explain";

    /// <summary>Whether the result is only an indication. A cell that has not settled is then marked and counts all the same.</summary>
    public bool IsIndication { get; init; }

    /// <summary>Beyond this share the rate is not a rate of the requested profile any more.</summary>
    public const double MostMissed = 0.10;

    /// <summary>The largest relative error of the emulator's latencies against the profile.</summary>
    public double? MissedBy => Latencies.Count == 0 ? null : Latencies.Max(static latency => latency.IsMissed ? latency.MissedBy : 0);

    /// <summary>The rate that was measured.</summary>
    public double? EventsPerSecond => Result?.Throughput.EventsPerS;

    /// <summary>Why it is excluded, or null. The verdict is not considered: it comes when all cells have ended.</summary>
    public string? Apart =>
        Failure
        ?? (
            EventsPerSecond is null ? "it completed no event after its warm-up"
            : MissedBy > MostMissed ? $"the latencies of the emulator were {Percent(MissedBy.Value)} off the profile: this machine was too busy"
            : IsUnsettled && !IsIndication ? Unsettled
            : null
        );

    /// <summary>A note about a cell that counts nevertheless, or null.</summary>
    public string? Mark =>
        Apart is not null ? null
        : (EndedEarly, Doubt) is ({ } early, { } doubt) ? $"{early}; {doubt}"
        : EndedEarly ?? Doubt;

    private string? Doubt =>
        MissedBy > 0 ? $"the latencies of the emulator were {Percent(MissedBy.Value)} off the profile"
        : IsUnsettled ? Unsettled
        : null;

    private string? EndedEarly =>
        Result?.Time is { EndedEarly: true, MeasuredS: { } measured }
            ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"ended early, after {measured:0.0} s: below half of the best rate of the sweep")
            : null;

    // Null means unknown: there were too few windows.
    private bool IsUnsettled => Result?.Time.Settled == false;

    private static string Percent(double share) => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{100 * share:0.0} %");
}
