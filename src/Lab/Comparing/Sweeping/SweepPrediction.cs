using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Sweeping;

/// <summary>The degree to use by the model, where excluded cells withhold the measured one.</summary>
internal static class SweepPrediction
{
    /// <summary>A sentence. Null if the model predicts no point.</summary>
    /// <param name="profile">The latency profile.</param>
    /// <param name="points">The grid.</param>
    /// <param name="strategies">Its points with the rates of the model.</param>
    public static string? Describe(string profile, IReadOnlyList<SweepPoint> points, IReadOnlyList<ComparedStrategy> strategies)
    {
        var rates = strategies.ToDictionary(static one => one.Label, static one => one.ProfilePredictedEventsPerS, StringComparer.Ordinal);
        var series = points
            .GroupBy(static point => point.Series, StringComparer.Ordinal)
            .Select(same => Describe(same.Key, same, rates))
            .OfType<string>()
            .ToList();
        return series.Count == 0 ? null : $"By the model of {profile}, use {string.Join(", ", series)}.";
    }

    // The model predicts no tail, so the rate alone decides.
    private static string? Describe(string series, IEnumerable<SweepPoint> points, Dictionary<string, double?> rates)
    {
        var figures = points
            .Where(point => rates[point.Label] is not null)
            .Select(point => new DegreeFigure(point.Degree, rates[point.Label]!.Value, 1))
            .ToList();
        return DegreeChoice.Of(figures)?.Recommended is { } degree
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"degree {degree} for {series} ({Figures.Rate(figures.Find(one => one.Degree == degree)!.Rate)} events/s)"
            )
            : null;
    }
}
