using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Sweeping;

/// <summary>What follows from a sweep: for each of its series the law, the knee and the degree to use.</summary>
internal static class SweepDocument
{
    /// <param name="points">The grid.</param>
    /// <param name="strategies">What was measured at each point.</param>
    /// <param name="cells">Every cell, of which each is a separate figure.</param>
    /// <param name="seed">Decides the intervals.</param>
    public static IReadOnlyList<SweptSeries> Of(
        IReadOnlyList<SweepPoint> points,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedCell> cells,
        int seed
    ) => [.. points.GroupBy(static point => point.Series, StringComparer.Ordinal).Select(series => GetSeries([.. series], strategies, cells, seed))];

    private static SweptSeries GetSeries(
        IReadOnlyList<SweepPoint> points,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedCell> cells,
        int seed
    )
    {
        IReadOnlyList<DegreeFigure> figures = [.. points.SelectMany(point => GetFigures(point, strategies, cells))];
        var (fit, choice) = (ScalabilityFit.Of(figures, seed), DegreeChoice.Of(figures));
        var knee = Knee.Of(figures, seed);
        return new SweptSeries
        {
            Label = points[0].Series,
            Degrees =
            [
                .. points
                    .OrderBy(static point => point.Degree)
                    .Select(point =>
                    {
                        var measured = strategies.First(one => one.Label == point.Label);
                        return new SweptDegree
                        {
                            Degree = point.Degree,
                            Label = point.Label,
                            EventsPerS = measured.EventsPerS,
                            PredictedEventsPerS = measured.PredictedEventsPerS,
                            ProfilePredictedEventsPerS = measured.ProfilePredictedEventsPerS,
                            Excluded = measured.Excluded,
                            EventP99Ms = measured.EventP99Ms,
                            LawEventsPerS = fit?.Law.RateAt(point.Degree),
                        };
                    }),
            ],
            Law = fit is null
                ? null
                : new SweptLaw
                {
                    Lambda = GetFigure(fit.Lambda)!,
                    Sigma = GetFigure(fit.Sigma)!,
                    Kappa = GetFigure(fit.Kappa)!,
                    BestDegree = GetFigure(fit.BestDegree),
                },
            Knee = GetFigure(knee),
            Best = choice?.Best,
            Recommended = choice?.Recommended,
            Sentence = GetSentence(points[0].Series, figures, choice, knee, fit),
        };
    }

    // Each cell has a separate rate. The tail is one for all cells, because few cells alone have enough events for one.
    private static IEnumerable<DegreeFigure> GetFigures(SweepPoint point, IEnumerable<ComparedStrategy> strategies, IEnumerable<ComparedCell> cells)
    {
        var tail = strategies.First(one => one.Label == point.Label).EventP99Ms;
        return cells
            .Where(cell => cell.Label == point.Label && cell is { Apart: null, Result.Throughput.EventsPerS: > 0 })
            .Select(cell => new DegreeFigure(point.Degree, cell.Result!.Throughput.EventsPerS!.Value, tail));
    }

    private static FittedFigure? GetFigure(FittedValue? value) =>
        value is null
            ? null
            : new FittedFigure
            {
                Value = value.Value,
                Low = value.Low95,
                High = value.High95,
            };

    private static string GetSentence(string series, IReadOnlyList<DegreeFigure> figures, DegreeChoice? choice, FittedValue? knee, ScalabilityFit? fit)
    {
        if (choice is null)
        {
            return $"{series}: no cell was measured.";
        }

        if (figures.DistinctBy(static figure => figure.Degree).Count() == 1)
        {
            return $"{series}: one degree only, so none is recommended.";
        }

        var use = choice.Recommended is { } degree
            ? Text($"use degree {degree}{(degree == choice.Best ? ", the highest rate" : Text($", whose rate is within 5 % of that of {choice.Best}"))}")
            : "no degree can be recommended";
        var passed = string.Concat(choice.PassedOver.Select(Passed));
        var where = knee is null
            ? figures.DistinctBy(static figure => figure.Degree).Count() < ScalabilityFit.FewestDegrees
                ? Text($". {ScalabilityFit.FewestDegrees} degrees are needed to find a knee")
                : ". The rate rises up to the largest degree"
            : Text($". The rate stops rising at {knee.Value:0.#} ({knee.Low95:0.#} to {knee.High95:0.#})");
        var decline = fit switch
        {
            null => "",
            { BestDegree: { } best } => Text($". By the law it is fastest at {best.Value:0} and declines above"),
            _ => ". No decline was seen",
        };
        return $"{series}: {use}{passed}{where}{decline}.";
    }

    private static string Passed(PassedOver passed) =>
        passed.Reason == PassedOverReason.SlowTail
            ? Text($". {passed.Degree} is not recommended, because its p99 is {passed.TailRatio:0.0} times that at {passed.HalfDegree}")
            : Text($". {passed.Degree} is not recommended, because its p99 or that at {passed.HalfDegree} is not known");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
