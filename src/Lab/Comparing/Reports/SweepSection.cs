using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What a sweep has found: rates over degrees with the law through them, a map of degree by batch, and the degree to use.</summary>
internal static class SweepSection
{
    private const string BatchPart = ", batch ";

    // So that the text stays legible on it, in light and in dark.
    private const double Darkest = 0.45;

    /// <summary>The section. Null for a comparison that is not a sweep.</summary>
    public static ReportSection? Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        if (result.Sweep is not { Count: > 0 } swept)
        {
            return null;
        }

        var lines = swept.Zip(GetLooks(swept, all)).SelectMany(static one => GetLines(one.First, one.Second)).ToList();
        return new ReportSection(
            "sweep",
            "Rate by degree",
            [
                "Points are medians. The dotted line is the scalability law fitted to them, which needs eight degrees. In the map, a darker cell is closer to the best of its table. ✓ is the degree to use.",
                .. swept.Select(static one => one.Sentence),
            ],
            [
                ReportSection.Figure(GetChart(lines, swept), "No cell is usable."),
                .. swept.GroupBy(static one => GetName(one.Label), StringComparer.Ordinal).Select(series => MapOf(series, result.Settings.Batch)),
                GetLaws(swept),
                ReportTable.Numbers(GetNumbers(swept)),
            ]
        );
    }

    private static List<StrategyAppearance> GetLooks(IReadOnlyList<SweptSeries> swept, IReadOnlyList<ComparedSeries> all)
    {
        var variants = new Dictionary<string, int>(StringComparer.Ordinal);
        return [.. swept.Select(Look)];

        StrategyAppearance Look(SweptSeries one)
        {
            var name = all.FirstOrDefault(series => series.Label == one.Degrees[0].Label)?.Strategy.Name ?? GetName(one.Label);
            var variant = variants.GetValueOrDefault(name);
            variants[name] = variant + 1;
            return StrategyColours.Of(name, variant);
        }
    }

    private static IEnumerable<ChartLine> GetLines(SweptSeries one, StrategyAppearance look)
    {
        yield return Line(one.Label, look, one, static degree => degree.EventsPerS);
        if (one.Law is not null)
        {
            yield return Line($"{one.Label}, law", look with { Dash = "2 3" }, one, static degree => degree.LawEventsPerS);
        }
    }

    private static ChartLine Line(string label, StrategyAppearance look, SweptSeries one, Func<SweptDegree, double?> of) =>
        new()
        {
            Label = label,
            Look = look,
            Points =
            [
                .. one
                    .Degrees.Where(degree => of(degree) > 0)
                    .Select(degree => ((double)degree.Degree, of(degree)!.Value, $"{label} at degree {degree.Degree}: {Figures.Rate(of(degree))} events/s")),
            ],
        };

    private static LinesChart? GetChart(IReadOnlyList<ChartLine> lines, IReadOnlyList<SweptSeries> swept)
    {
        var drawn = lines.Where(static line => line.Points.Count > 0).ToList();
        return drawn.Count == 0
            ? null
            : new LinesChart
            {
                Name = "Events a second by degree, a line for each strategy and batch",
                Lines = drawn,
                X = Scale.Log(drawn.SelectMany(static line => line.Points).Select(static point => point.X)),
                XTitle = "degree, logarithmic",
                XTicks = [.. GetDegrees(swept).Select(static degree => ((double)degree, degree.ToString(CultureInfo.InvariantCulture)))],
                Y = Scale.Fitting([.. drawn.SelectMany(static line => line.Points).Select(static point => point.Y)]),
                YTitle = "events/s",
            };
    }

    // One table for each strategy: batches downwards, degrees from left to right.
    private static XElement MapOf(IGrouping<string, SweptSeries> series, int onlyBatch)
    {
        var best = series.SelectMany(static one => one.Degrees).Max(static degree => degree.EventsPerS);
        return ReportTable.Of(
            $"{series.Key}: events/s by batch and degree",
            series,
            [
                new ReportColumn<SweptSeries>("batch", one => GetBatch(one.Label, onlyBatch), IsNumber: false),
                .. GetDegrees([.. series])
                    .Select(degree => new ReportColumn<SweptSeries>(
                        degree.ToString(CultureInfo.InvariantCulture),
                        one => Heat(one.Degrees.FirstOrDefault(found => found.Degree == degree), one.Recommended, best)
                    )),
            ]
        );
    }

    private static object Heat(SweptDegree? degree, int? recommended, double? best)
    {
        if (degree?.EventsPerS is not { } rate)
        {
            return Bracketed(null, degree?.Excluded?.EventsPerS, Figures.Rate);
        }

        var shade = (Darkest * rate / best!.Value).ToString("0.00", CultureInfo.InvariantCulture);
        return new XElement(
            "span",
            new XAttribute("class", "heat"),
            new XAttribute("style", $"--heat: {shade}"),
            degree.Degree == recommended ? "✓ " : null,
            ReportTable.Number(rate, Figures.Rate)
        );
    }

    private static XElement GetLaws(IReadOnlyList<SweptSeries> swept) =>
        ReportTable.Of(
            "The degree to use, and the law with ratio 95 % intervals",
            swept,
            new ReportColumn<SweptSeries>("strategy and batch", static one => one.Label, IsNumber: false),
            new ReportColumn<SweptSeries>("use", static one => ReportTable.Number(one.Recommended, Figures.Count)),
            new ReportColumn<SweptSeries>("highest rate", static one => ReportTable.Number(one.Best, Figures.Count)),
            new ReportColumn<SweptSeries>("knee", static one => Fitted(one.Knee, Figures.Ms)),
            new ReportColumn<SweptSeries>("λ, events/s", static one => Fitted(one.Law?.Lambda, Figures.Rate)),
            new ReportColumn<SweptSeries>("σ, contention", static one => Fitted(one.Law?.Sigma, Small)),
            new ReportColumn<SweptSeries>("κ, coherence", static one => Fitted(one.Law?.Kappa, Small))
        );

    private static XElement GetNumbers(IReadOnlyList<SweptSeries> swept) =>
        ReportTable.Of(
            "Every point of the sweep",
            swept.SelectMany(static one => one.Degrees),
            new ReportColumn<SweptDegree>("point", static degree => degree.Label, IsNumber: false),
            new ReportColumn<SweptDegree>("events/s", static degree => Bracketed(degree.EventsPerS, degree.Excluded?.EventsPerS, Figures.Rate)),
            new ReportColumn<SweptDegree>(
                "predicted",
                static degree => ReportTable.Number(degree.PredictedEventsPerS ?? degree.ProfilePredictedEventsPerS, Figures.Rate)
            ),
            new ReportColumn<SweptDegree>("law", static degree => ReportTable.Number(degree.LawEventsPerS, Figures.Rate)),
            new ReportColumn<SweptDegree>("p99 ms", static degree => Bracketed(degree.EventP99Ms, degree.Excluded?.EventP99Ms, Figures.Ms))
        );

    private static object Bracketed(double? value, double? excluded, Func<double?, string> form) =>
        value is null && excluded is not null ? new[] { "(", ReportTable.Number(excluded, form), ")" } : ReportTable.Number(value, form);

    private static object Fitted(FittedFigure? figure, Func<double?, string> form) =>
        figure is null
            ? Figures.None
            : new[] { ReportTable.Number(figure.Value, form), " (", ReportTable.Number(figure.Low, form), " – ", ReportTable.Number(figure.High, form), ")" };

    private static string Small(double? value) => value?.ToString("0.#####", CultureInfo.InvariantCulture) ?? Figures.None;

    private static IEnumerable<int> GetDegrees(IReadOnlyList<SweptSeries> swept) =>
        swept.SelectMany(static one => one.Degrees).Select(static degree => degree.Degree).Distinct().Order();

    private static string GetName(string label) => label.LastIndexOf(BatchPart, StringComparison.Ordinal) is >= 0 and var at ? label[..at] : label;

    // A batch that all have in common is in no label.
    private static string GetBatch(string label, int onlyBatch) =>
        label.LastIndexOf(BatchPart, StringComparison.Ordinal) is >= 0 and var at ? label[(at + BatchPart.Length)..] : Figures.Count(onlyBatch);
}
