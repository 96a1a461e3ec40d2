using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Compares every configuration with the first one: one build with another, in the same blocks.</summary>
internal static class SlowdownVerdict
{
    /// <param name="result">The comparison.</param>
    /// <param name="slowdown">What must be excluded for a pass, as a share of the reference's rate.</param>
    public static IReadOnlyList<GateVerdict> Of(ComparisonResult result, double slowdown)
    {
        var reference = result.Strategies[0].Label;
        var all = Blocks.Of(result.Settings.ComparedBy, result.Strategies.Count + 1, result.Cells);
        var blocks = new ComparedBlocks([.. all.Values], reference, result.Settings.Seed);
        return [.. result.Strategies.Skip(1).Select(one => Of(blocks, one.Label, reference, slowdown))];
    }

    private static GateVerdict Of(ComparedBlocks blocks, string label, string reference, double slowdown)
    {
        var outcome = SlowdownGate.Judge(blocks, label, reference, slowdown);
        var ratio = blocks.Compare(label, reference).Ratio;
        var figures = ratio is { Low95: { } low, High95: { } high }
            ? Text($"{ratio.Median:0.###} x ({low:0.###} to {high:0.###}) over {ratio.Count} blocks")
            : Text($"{ratio?.Count ?? 0} blocks are complete");
        return new GateVerdict(outcome, $"{label} against {reference}", $"{GetWord(outcome, slowdown)}, {figures}");
    }

    private static string GetWord(GateOutcome outcome, double slowdown) =>
        outcome switch
        {
            GateOutcome.Passed => Text($"passed, no slowdown of {100 * slowdown:0.#} %"),
            GateOutcome.Failed => "slower",
            GateOutcome.TooFewBlocks => Text($"undecided, {SlowdownGate.FewestBlocks} blocks are needed"),
            GateOutcome.BoundElsewhere => "undecided, a rate is limited by the emulator or the input",
            _ => "noisy, no conclusion",
        };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
