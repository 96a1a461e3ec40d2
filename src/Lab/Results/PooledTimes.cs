using EventHubThroughput.Telemetry;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Results;

/// <summary>Percentiles of a time over several cells.</summary>
internal static class PooledTimes
{
    /// <summary>
    /// The 99th percentile of an event's time: the median of what single cells have. Where none of them has events enough for one, that of all their events together, in
    /// milliseconds. Null where these are too few as well.
    /// </summary>
    /// <param name="cells">The cells.</param>
    public static double? EventP99Ms(IReadOnlyCollection<RunResult> cells)
    {
        var stages = cells.Select(static cell => cell.Stages.GetValueOrDefault("event")).OfType<StageFigures>().ToList();
        double[] own = [.. stages.Select(static one => one.P99Ms).OfType<double>()];
        if (own.Length > 0)
        {
            return own.Median();
        }

        var all = new LatencyHistogram();
        foreach (var text in stages.Select(static one => one.Histogram).OfType<string>())
        {
            all.Add(LatencyHistogram.Parse(text));
        }

        return all.Percentile(99)?.TotalMilliseconds;
    }
}
