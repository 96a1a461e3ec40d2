using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Columns;

/// <summary>
/// The one list of columns of the table of strategies: the terminal, the Markdown and the HTML report show them, and the JSON holds their figures. A new
/// figure of a run is one line in <see cref="Measured"/>.
/// </summary>
internal static class StrategyColumns
{
    /// <summary>Figures of runs whose median over the cells of a strategy is a column. The JSON has them in <c>figures</c>, by these names.</summary>
    public static IReadOnlyList<MeasuredColumn> Measured { get; } =
    [new("allocatedBytesPerEvent", "B allocated", static run => run.Resources.Consumer.AllocatedBytesPerEvent, Figures.Count)];

    /// <summary>The columns from the left. One that is empty in every row is left out.</summary>
    public static IReadOnlyList<StrategyColumn> Of(ComparisonResult result) =>
        [.. All(result).Where(column => result.Strategies.Any(row => column.Of(row) is not (Figures.None or "")))];

    private static IEnumerable<StrategyColumn> All(ComparisonResult result)
    {
        var by = result.Settings.ComparedBy;
        var isOpenLoop = result.Settings.IsOpenLoop;
        return
        [
            new()
            {
                Title = "strategy",
                Kind = ColumnKind.Label,
                Text = static row => row.Unsafe is null ? row.Label : $"{row.Label} (unsafe)",
            },
            Number(ComparedFigure.RateName(by), static row => row.EventsPerS, Figures.Rate) with
            {
                Excluded = static row => row.Excluded?.EventsPerS,
            },
            Number("model events/s", static row => row.ProfilePredictedEventsPerS, Figures.Rate),
            Number("not sustained", static row => row.NotKeptPerS, Figures.Rate),
            Range("95 % interval", static row => row.EventsPerS95, Figures.Rate, rank: 4),
            Number($"x {(result.Strategies.Count > 0 ? result.Strategies[0].Label : "")}", static row => row.Ratio, Figures.Ratio),
            Range("ratio 95 % interval", static row => row.Ratio95, Figures.Ratio, rank: 4),
            Text("conclusion", static row => row.Word, rank: 5),
            Number(
                "of model",
                by == ComparedBy.Sustained ? static row => row.EventsPerS / row.PredictedEventsPerS : row => isOpenLoop ? null : row.MeasuredToPredicted,
                Figures.Percent,
                rank: 1
            ),
            .. isOpenLoop || by == ComparedBy.Sustained
                ?
                [
                    Number("p50 since scheduled ms", static row => row.EndToEndP50Ms, Figures.Ms, rank: 2) with
                    {
                        Excluded = static row => row.Excluded?.EndToEndP50Ms,
                    },
                    Number("p99 since scheduled ms", static row => row.EndToEndP99Ms, Figures.Ms, rank: 1) with
                    {
                        Excluded = static row => row.Excluded?.EndToEndP99Ms,
                    },
                    Number("p99.9 since scheduled ms", static row => row.EndToEndP999Ms, Figures.Ms, rank: 3) with
                    {
                        Excluded = static row => row.Excluded?.EndToEndP999Ms,
                    },
                    Number("growing lag in", static row => row.FallsBehindIn, Figures.Count),
                ]
                : Array.Empty<StrategyColumn>(),
            Number("p50 ms", static row => row.EventP50Ms, Figures.Ms, rank: isOpenLoop ? 6 : 2) with
            {
                Excluded = static row => row.Excluded?.EventP50Ms,
            },
            Number("p99 ms", static row => row.EventP99Ms, Figures.Ms, rank: isOpenLoop ? 6 : 2) with
            {
                Excluded = static row => row.Excluded?.EventP99Ms,
            },
            Text("order", static row => row.Order),
            Number("repeats at most", static row => row.RepeatsAtMost, Figures.Count, rank: 1),
            Number("checkpoints per 10^6", static row => row.CheckpointCostPerMillion is null ? null : 1000 * row.CheckpointsPerThousand, Figures.Count),
            Number("checkpoint cost", static row => row.CheckpointCostPerMillion, Figures.Price),
            Number("cost with uploads", static row => row.StorageCostPerMillion, Figures.Price),
            Number("CPU us", static row => row.ConsumerCpuUsPerEvent, Figures.Count, rank: 3) with
            {
                Excluded = static row => row.Excluded?.ConsumerCpuUsPerEvent,
            },
            .. Measured.Select(static one => Number(one.Title, row => row.Figures.GetValueOrDefault(one.Name), one.Form, rank: 7)),
            Number("cells", static row => row.Cells, Figures.Count, rank: 8),
            new()
            {
                Title = "verdict",
                Kind = ColumnKind.Verdict,
                Text = static row => row.Verdict == SafetyVerdict.Failed ? "FAILED" : row.Verdict.ToString().ToLowerInvariant(),
            },
        ];
    }

    private static StrategyColumn Number(string title, Func<ComparedStrategy, double?> of, Func<double?, string> form, int rank = 0) =>
        new()
        {
            Title = title,
            Kind = ColumnKind.Number,
            Number = of,
            Form = form,
            Rank = rank,
        };

    private static StrategyColumn Range(string title, Func<ComparedStrategy, Interval?> of, Func<double?, string> form, int rank) =>
        new()
        {
            Title = title,
            Kind = ColumnKind.Range,
            Range = of,
            Form = form,
            Rank = rank,
        };

    private static StrategyColumn Text(string title, Func<ComparedStrategy, string> of, int rank = 0) =>
        new()
        {
            Title = title,
            Kind = ColumnKind.Text,
            Text = of,
            Rank = rank,
        };
}

/// <summary>A figure of a run whose median over the cells of a strategy is a column.</summary>
/// <param name="Name">The member of <c>figures</c> in the JSON.</param>
/// <param name="Title">The head of the column, with the unit.</param>
/// <param name="Of">The figure. Null where it was not measured.</param>
/// <param name="Form">How it is written.</param>
internal sealed record MeasuredColumn(string Name, string Title, Func<RunResult, double?> Of, Func<double?, string> Form);
