using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Gates;

/// <summary>The outcome of a gate.</summary>
/// <param name="Outcome">Whether it holds.</param>
/// <param name="Gate">What is judged, as a condition or in words.</param>
/// <param name="Text">The outcome in words, with its figures.</param>
internal sealed record GateVerdict(GateOutcome Outcome, string Gate, string Text)
{
    /// <summary>Gate and text.</summary>
    public string Line => $"{Gate}: {Text}";

    /// <summary>The exit code of a program whose only gate this is.</summary>
    public int ExitCode =>
        Outcome switch
        {
            GateOutcome.Passed => Settings.ExitCode.Done,
            GateOutcome.Failed => Settings.ExitCode.GateFailed,
            _ => Settings.ExitCode.GateUndecided,
        };

    /// <summary>
    /// Judges a condition by the blocks that count. It has come true if the whole interval is on its side. It has not if the whole interval is on the other
    /// side. Otherwise there is no verdict: the runs scatter too much, or a rate is not the strategy's own.
    /// </summary>
    /// <param name="condition">The condition that must not come true.</param>
    /// <param name="result">The comparison.</param>
    public static GateVerdict Of(GateCondition condition, ComparisonResult result)
    {
        var ratios = GetRatios(condition, result);
        var threshold = condition.Other is null ? 1 : condition.Factor;
        var figures = MedianInterval.Of(ratios, result.Settings.Seed);
        if (NoVerdictReason(condition, result, figures) is var (without, reason))
        {
            return new GateVerdict(without, condition.Text, $"undecided, {reason}");
        }

        var (low, high) = (figures!.Low95!.Value, figures.High95!.Value);
        var outcome =
            (condition.IsBelow ? high < threshold : low > threshold) ? GateOutcome.Failed
            : (condition.IsBelow ? low >= threshold : high <= threshold) ? GateOutcome.Passed
            : GateOutcome.Noisy;
        var scale = condition.Other is null ? condition.Factor : 1;
        return new GateVerdict(
            outcome,
            condition.Text,
            Format(
                $"{GetWord(outcome)}, {(condition.Other is null ? "" : "the ratio ")}is {scale * figures.Median:0.###} ({scale * low:0.###} to {scale * high:0.###}) over {figures.Count} blocks"
            )
        );
    }

    /// <summary>Compares every strategy with the same one of an earlier comparison. None may be slower.</summary>
    /// <param name="result">The comparison.</param>
    /// <param name="earlier">The one before.</param>
    public static IReadOnlyList<GateVerdict> Against(ComparisonResult result, ComparisonResult earlier) =>
        result.Settings.ComparedBy != earlier.Settings.ComparedBy || result.Settings.Rate != earlier.Settings.Rate
            ?
            [
                new GateVerdict(
                    GateOutcome.BoundElsewhere,
                    "compared with the earlier result",
                    $"undecided, {GetLoad(earlier)} there and {GetLoad(result)} here"
                ),
            ]
            :
            [
                .. result
                    .Strategies.Where(one => earlier.Strategies.Any(before => before.Label == one.Label))
                    .Select(one => Against(one, earlier.Strategies.First(before => before.Label == one.Label), result, earlier)),
            ];

    private static string GetLoad(ComparisonResult result) =>
        result.Settings switch
        {
            { ComparedBy: ComparedBy.Sustained } => "sustainable rates were searched",
            { Rate: { } rate } => $"events were sent at {rate}",
            _ => "the hub was filled before the run",
        };

    private static GateVerdict Against(ComparedStrategy now, ComparedStrategy before, ComparisonResult result, ComparisonResult earlier)
    {
        var (rates, old) = (GetRates(result, now.Label), GetRates(earlier, before.Label));
        var ratio = IndependentRatio.Of(rates, old, result.Settings.Seed);
        var gate = $"{now.Label} compared with the earlier result";
        if (ratio is not { Low95: { } low, High95: { } high })
        {
            return new GateVerdict(
                GateOutcome.TooFewBlocks,
                gate,
                Format($"undecided, {rates.Count} and {old.Count} cells are usable, {MedianInterval.FewestForInterval} of each are needed")
            );
        }

        var noise =
            new[] { now, before }.Any(static one => one.Word.StartsWith("not ranked", StringComparison.Ordinal))
                ? "a rate is limited by the emulator or the input"
            : IsNoisy(rates) || IsNoisy(old) ? "noisy"
            : null;
        var outcome =
            noise is not null ? GateOutcome.Noisy
            : high < 1 / ConclusionRule.Margin ? GateOutcome.Failed
            : low > 1 - SlowdownGate.UsualSlowdown ? GateOutcome.Passed
            : GateOutcome.Noisy;
        return new GateVerdict(
            outcome,
            gate,
            Format(
                $"{noise ?? GetWord(outcome)}, {(noise is null ? "" : "undecided, ")}{ratio.Median:0.###} x ({low:0.###} to {high:0.###}) over {rates.Count} and {old.Count} cells"
            )
        );
    }

    private static (GateOutcome, string)? NoVerdictReason(GateCondition condition, ComparisonResult result, MedianInterval? figures)
    {
        string[] labels = [condition.Label, .. condition.Other is { } other ? new[] { other } : []];
        var unranked = result.Strategies.FirstOrDefault(one =>
            labels.Contains(one.Label) && one.Word.StartsWith("not ranked", StringComparison.Ordinal) && IsRate(condition)
        );
        return unranked is not null ? (GateOutcome.BoundElsewhere, $"{unranked.Label} is {unranked.Word}")
            : figures is null ? (GateOutcome.TooFewBlocks, "no block has the figures")
            : figures.Low95 is null ? (GateOutcome.TooFewBlocks, Format($"{figures.Count} blocks are usable, {MedianInterval.FewestForInterval} are needed"))
            : IsRate(condition) && labels.Any(label => IsNoisy(GetRates(result, label))) ? (GateOutcome.Noisy, "noisy: the runs vary too much")
            : null;
    }

    private static bool IsRate(GateCondition condition) => condition.Figure.Name == "rate";

    // Whether the rates scatter more than runs with a noise of 3 %.
    private static bool IsNoisy(List<double> rates) => RunNoise.Of([], 1, rates).IsTooLarge;

    private static List<double> GetRatios(GateCondition condition, ComparisonResult result) =>
        [
            .. Counting(result)
                .GroupBy(static cell => cell.Block)
                .Select(block =>
                    condition.Other is { } other
                        ? GetValue(block, condition.Label, condition.Figure) / GetValue(block, other, condition.OtherFigure!)
                        : GetValue(block, condition.Label, condition.Figure) / condition.Factor
                )
                .OfType<double>(),
        ];

    private static double? GetValue(IEnumerable<ComparedCell> block, string label, GateFigure figure)
    {
        var values = block.Where(cell => cell.Label == label).Select(cell => figure.Of(cell.Result!)).OfType<double>().ToList();
        return values.Count == 0 ? null : values.Average();
    }

    private static List<double> GetRates(ComparisonResult result, string label) =>
        [.. Counting(result).Where(cell => cell.Label == label).Select(cell => ComparedFigure.Of(cell.Result, result.Settings.ComparedBy)).OfType<double>()];

    private static IEnumerable<ComparedCell> Counting(ComparisonResult result) =>
        result.Cells.Where(cell => cell is { Apart: null, Result: not null } && !result.DiscardedBlocks.Contains(cell.Block));

    private static string GetWord(GateOutcome outcome) =>
        outcome switch
        {
            GateOutcome.Failed => "true",
            GateOutcome.Passed => "passed",
            _ => "not decided",
        };

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
