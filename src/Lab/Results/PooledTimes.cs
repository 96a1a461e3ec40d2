using EventHubThroughput.Telemetry;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Results;

/// <summary>Percentiles of a time over several cells.</summary>
internal static class PooledTimes
{
    /// <summary>
    /// The 99th percentile of an event's time: the median over the cells that have one. Where no cell has enough events for one, the percentile of all
    /// their events together. In milliseconds. Null where these are too few as well.
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
