using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Load.Pages;

/// <summary>The rate of each configuration in each round, and the medians beside the reference and the model.</summary>
internal static class RoundsTable
{
    /// <param name="result">The comparison.</param>
    /// <param name="labels">The configurations, in the order of the columns.</param>
    public static string Render(ComparisonResult result, IReadOnlyList<string> labels)
    {
        var cells = result.Cells.Where(cell => cell.Apart is null && !result.DiscardedBlocks.Contains(cell.Block)).ToList();
        var blocks = cells.Select(static cell => cell.Block).Distinct().Order().ToList();
        var strategies = labels.Select(label => result.Strategies.First(one => one.Label == label)).ToList();
        return string.Join(
            '\n',
            [
                $"| profile {result.Settings.Profile}, events/s | {string.Join(" | ", labels)} |",
                $"|---|{string.Concat(Enumerable.Repeat("--:|", labels.Count))}",
                .. blocks.Select(
                    (block, place) =>
                        Row($"round {place + 1}", labels.Select(label => GetRate(cells.Where(cell => cell.Block == block && cell.Label == label))))
                ),
                Row("**median**", strategies.Select(static one => $"**{Figures.Rate(one.EventsPerS)}**")),
                Row("median to baseline", strategies.Select(static one => Figures.Ratio(one.Ratio))),
                Row(
                    "median to model",
                    strategies.Select(static one =>
                        one.MeasuredToPredicted is { } share ? $"{(100 * share).ToString("0.0", CultureInfo.InvariantCulture)} %" : "-"
                    )
                ),
            ]
        );
    }

    private static string Row(string title, IEnumerable<string> values) => $"| {title} | {string.Join(" | ", values)} |";

    // The reference has two runs in a block.
    private static string GetRate(IEnumerable<ComparedCell> cells) =>
        cells.Select(static cell => cell.Result?.Throughput.EventsPerS).OfType<double>().ToList() is { Count: > 0 } rates ? Figures.Rate(rates.Median()) : "-";
}
