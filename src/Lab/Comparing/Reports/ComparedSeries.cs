using EventHubThroughput.Lab.Results;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>One of the compared strategies with its look and its cells.</summary>
/// <param name="Strategy">Its figures over all cells.</param>
/// <param name="Look">How it is drawn.</param>
/// <param name="Cells">All its cells, in the order in which they were run.</param>
/// <param name="Counted">The results of the cells that are not excluded.</param>
internal sealed record ComparedSeries(ComparedStrategy Strategy, StrategyAppearance Look, IReadOnlyList<ComparedCell> Cells, IReadOnlyList<RunResult> Counted)
{
    public string Label => Strategy.Label;

    /// <summary>All of them, the best first. Those without the figure that is compared last, in the order in which they were named.</summary>
    public static IReadOnlyList<ComparedSeries> Of(ComparisonResult result)
    {
        var variants = new Dictionary<string, int>(StringComparer.Ordinal);
        var series = new List<ComparedSeries>();
        foreach (var strategy in result.Strategies)
        {
            var variant = variants.GetValueOrDefault(strategy.Name);
            variants[strategy.Name] = variant + 1;
            var cells = result.Cells.Where(cell => cell.Label == strategy.Label).ToList();
            series.Add(
                new ComparedSeries(
                    strategy,
                    StrategyColours.Of(strategy.Name, variant),
                    cells,
                    [.. cells.Where(static cell => cell.Apart is null && cell.Result is not null).Select(static cell => cell.Result!)]
                )
            );
        }

        return [.. series.OrderByDescending(one => GetFigure(one.Strategy, result.Settings.ComparedBy) ?? -1)];
    }

    // Higher is better: a time counts by its reciprocal.
    private static double? GetFigure(ComparedStrategy one, ComparedBy by) =>
        by switch
        {
            ComparedBy.Rate => one.EventsPerS,
            ComparedBy.P50 => 1000 / one.EndToEndP50Ms,
            _ => 1000 / one.EndToEndP99Ms,
        };

    /// <summary>The median over the cells that are not excluded and have the figure. Null without any.</summary>
    public double? Median(Func<RunResult, double?> figure)
    {
        var values = Counted.Select(figure).OfType<double>().ToList();
        return values.Count == 0 ? null : values.Median();
    }

    /// <summary>The figures of a stage in a cell. Null where it was not measured.</summary>
    public static StageFigures? Stage(RunResult result, string stage) => result.Stages.GetValueOrDefault(stage) is { Count: > 0 } figures ? figures : null;
}
