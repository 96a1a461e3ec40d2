using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Events a second of every strategy: cells, median, interval and prediction.</summary>
internal static class RateSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var drawn = all.Where(static one => GetRates(one).Any()).ToList();
        var values = drawn
            .SelectMany(static one => GetRates(one).Append(one.Strategy.PredictedEventsPerS).Append(one.Strategy.EventsPerS95?.High))
            .OfType<double>()
            .ToList();
        var chart =
            drawn.Count == 0
                ? null
                : new RowsChart
                {
                    Name = $"Events a second: {string.Join(", ", drawn.Select(static one => $"{one.Label} {Figures.Rate(one.Strategy.EventsPerS)}"))}",
                    Rows = [.. drawn.Select(one => GetRow(result, one))],
                    Axis = Scale.Fitting(values),
                    Title = "events/s",
                };
        return new ReportSection(
            "throughput",
            "Throughput",
            [.. GetNotes(result, all)],
            [ReportSection.Figure(chart, "No cell completed an event after its warm-up. A rate needs one.")]
        );
    }

    private static IEnumerable<double?> GetRates(ComparedSeries one) =>
        one.Cells.Select(static cell => cell.Result?.Throughput.EventsPerS).Where(static rate => rate is not null);

    private static ChartRow GetRow(ComparisonResult result, ComparedSeries one) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Value = one.Strategy.EventsPerS95 is { } ends
                ? $"{Figures.Rate(one.Strategy.EventsPerS)} ({Figures.Range(ends, Figures.Rate)})"
                : Figures.Rate(one.Strategy.EventsPerS),
            Bars = one.Strategy.EventsPerS95 is { } interval
                ? [new RowBar(interval.Low, interval.High, $"95 % interval {Figures.Range(interval, Figures.Rate)} events/s", "whisker")]
                : [],
            Points =
            [
                .. one.Cells.Where(static cell => cell.Result?.Throughput.EventsPerS is not null).Select(cell => GetPoint(result, cell)),
                .. one.Strategy.EventsPerS is { } median ? new[] { new RowPoint(median, $"median {Figures.Rate(median)} events/s", "median") } : [],
            ],
            Tick = one.Strategy.PredictedEventsPerS is { } predicted ? (predicted, "the model's prediction") : null,
        };

    private static RowPoint GetPoint(ComparisonResult result, ComparedCell cell)
    {
        var why = cell.Apart ?? (result.DiscardedBlocks.Contains(cell.Block) ? "its block is discarded" : null);
        return new RowPoint(
            cell.Result!.Throughput.EventsPerS!.Value,
            $"block {cell.Block + 1}: {Figures.Rate(cell.Result.Throughput.EventsPerS)} events/s{(why is null ? "" : $", not used: {why}")}",
            why is null ? "dot" : "dot open"
        );
    }

    private static IEnumerable<string> GetNotes(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        yield return "A small point is one cell, the large one the median over the usable blocks."
            + (all.Any(static one => one.Strategy.EventsPerS95 is not null) ? " The bar through it is the bootstrap 95 % interval of the median." : "");
        if (result.Settings.IsOpenLoop)
        {
            yield return $"Events were sent at {result.Settings.Rate}. Each strategy that keeps up has that rate, so a lower rate only shows a growing lag.";
        }
        else if (all.All(static one => one.Strategy.EventsPerS95 is null))
        {
            yield return "Intervals need five usable blocks.";
        }

        yield return all.Any(static one => one.Strategy.PredictedEventsPerS is not null)
            ? "The vertical line is the model's prediction."
            : "The model has no prediction for these runs.";
        if (result.DiscardedBlocks.Count > 0 || result.Cells.Any(static cell => cell.Apart is not null))
        {
            yield return "Hollow points are cells that are excluded or whose block was discarded. No conclusion uses them.";
        }

        if (all.Where(static one => one.Strategy.EventsPerS is null).Select(static one => one.Label).ToList() is { Count: > 0 } without)
        {
            yield return $"Without a rate: {string.Join(", ", without)}.";
        }
    }
}
