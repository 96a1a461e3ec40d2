using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Selects what the first screen of a report has room for.</summary>
internal static class FirstScreen
{
    private const int MostSeries = 8;

    /// <summary>The best configurations and the reference. Of a sweep, each series at the degree to use.</summary>
    /// <param name="result">The comparison.</param>
    /// <param name="all">All of them, the best first.</param>
    public static IReadOnlyList<ComparedSeries> Select(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var some = result.Sweep is { } sweep ? [.. all.Where(one => sweep.Any(series => series.PointToUse?.Label == one.Label))] : all;
        return some.Count <= MostSeries
            ? some
            : [.. some.Take(MostSeries - 1), some.Skip(MostSeries - 1).FirstOrDefault(one => one.Label == result.Strategies[0].Label) ?? some[MostSeries - 1]];
    }
}
