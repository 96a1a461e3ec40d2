using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The gate of <c>--fail-if-undecided</c>: whether a comparison has an answer. An indication is one.</summary>
internal static class UndecidedVerdict
{
    private const string Gate = "the comparison has an answer";

    /// <summary>Judges a comparison by its excluded cells and its best pair, and a sweep by the degrees to use.</summary>
    public static GateVerdict Of(ComparisonResult result) =>
        GetReason(result) is { } reason
            ? new GateVerdict(GateOutcome.Noisy, Gate, $"undecided, {reason}")
            : new GateVerdict(GateOutcome.Passed, Gate, "passed");

    private static string? GetReason(ComparisonResult result) =>
        result.Strategies.Where(static one => one.Cells == 0).Select(static one => one.Label).ToList() is { Count: > 0 } without
            ? $"no cell of {string.Join(", ", without)} counts"
        : result.Sweep is { } sweep
            ? sweep.FirstOrDefault(static series => series.Recommended is null) is { } open ? $"{open.Label} has no degree to use"
                : null
        : KeptRate.IsMissedByReference(result.Strategies)
            ? GetReason(KeptRate.SelectPairs(result.Strategies, result.Pairs) is [var quickest, ..] ? quickest : null)
        : result.Pairs is not [var best, ..] ? "only one configuration was measured"
        : GetReason(best);

    // Where the reference cannot keep the rate and one configuration can, the answer needs no pair.
    private static string? GetReason(ComparedPair? best) =>
        best is null or { Word: "faster" or "indication" or "no difference" } ? null : $"{best.First} against {best.Second} is {best.Word}";
}
