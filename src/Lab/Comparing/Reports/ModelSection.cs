using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The measured rates divided by the predicted ones.</summary>
internal static class ModelSection
{
    private static readonly string[] Symbols = ["docs/method.md of the project explains the symbols of the forms."];

    public static ReportSection Of(IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Select(GetRow).Where(static row => row.Points.Count > 0).ToList();
        var values = rows.SelectMany(static row => row.Points).Select(static point => point.At).Append(100).ToList();
        var without = all.Where(static one => one.Counted.All(static result => result.Model is null)).Select(static one => one.Label).ToList();
        var forms = all.SelectMany(static one => one.Counted.Select(result => (one.Label, result.Model?.Form)))
            .Where(static one => one.Form is not null)
            .Distinct()
            .ToList();
        return new ReportSection(
            "model",
            "Prediction and measurement",
            [
                .. rows.Count == 0
                    ? Array.Empty<string>()
                    :
                    [
                        "The measured rate in percent of the model's: small points are cells, the large one is their median. Below 100 %, time passes that the model does not include.",
                    ],
                .. without.Count > 0 && rows.Count > 0 ? new[] { $"The model has no prediction for {string.Join(", ", without)} with these settings." } : [],
                .. forms.Count > 0 ? Symbols : [],
                .. forms.Select(static form => $"{form.Label}: {form.Form}"),
            ],
            [
                ReportSection.Figure(
                    rows.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name = $"Measured rate in percent of the predicted one: {string.Join(", ", rows.Select(static row => $"{row.Label} {row.Value}"))}",
                            Rows = rows,
                            Axis = Scale.Linear(values.Min() - 1, values.Max() + 1),
                            Title = "measured in % of predicted",
                            Line = (100, "as predicted"),
                        },
                    "The model has no prediction for these strategies with this profile and these settings, or their batches were too small to compare."
                ),
                .. rows.Count == 0
                    ? Array.Empty<System.Xml.Linq.XElement>()
                    :
                    [
                        ReportTable.Numbers(
                            ReportTable.Of(
                                "Prediction and measurement",
                                all,
                                ReportTable.Strategy<ComparedSeries>(static one => one),
                                ReportTable.Of("predicted events/s", static one => one.Strategy.PredictedEventsPerS, Figures.Rate),
                                ReportTable.Of("measured events/s", static one => one.Strategy.EventsPerS, Figures.Rate),
                                ReportTable.Of("measured, % of predicted", static one => one.Strategy.MeasuredToPredicted, Figures.Percent)
                            )
                        ),
                    ],
            ]
        );
    }

    private static ChartRow GetRow(ComparedSeries one) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Value = Figures.Percent(one.Strategy.MeasuredToPredicted),
            Points =
            [
                .. one
                    .Cells.Where(static cell => cell.Result?.Model?.MeasuredToPredicted is not null)
                    .Select(static cell => new RowPoint(
                        100 * cell.Result!.Model!.MeasuredToPredicted!.Value,
                        $"block {cell.Block + 1}: {Figures.Percent(cell.Result.Model.MeasuredToPredicted)}",
                        cell.Apart is null ? "dot" : "dot open"
                    )),
                .. one.Strategy.MeasuredToPredicted is { } median ? new[] { new RowPoint(100 * median, $"median {Figures.Percent(median)}", "median") } : [],
            ],
        };
}
