using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>A stage's figures in milliseconds; null where there are too few samples for one.</summary>
internal sealed record StageFigures
{
    public required long Count { get; init; }

    public double? MeanMs { get; init; }

    public double? SdMs { get; init; }

    public double? P50Ms { get; init; }

    public double? P75Ms { get; init; }

    public double? P90Ms { get; init; }

    public double? P95Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? P999Ms { get; init; }

    public double? P9999Ms { get; init; }

    public double? MaxMs { get; init; }

    /// <summary>Little's law: rate times mean time; null when nothing was measured.</summary>
    public double? MeanInFlight { get; init; }

    public static StageFigures Of(LatencyHistogram histogram, TimeSpan measured = default) =>
        histogram.Count == 0
            ? new StageFigures { Count = 0 }
            : new StageFigures
            {
                Count = histogram.Count,
                MeanMs = histogram.Mean.TotalMilliseconds,
                SdMs = histogram.StandardDeviation.TotalMilliseconds,
                P50Ms = At(histogram, 50),
                P75Ms = At(histogram, 75),
                P90Ms = At(histogram, 90),
                P95Ms = At(histogram, 95),
                P99Ms = At(histogram, 99),
                P999Ms = At(histogram, 99.9),
                P9999Ms = At(histogram, 99.99),
                MaxMs = histogram.Max.TotalMilliseconds,
                MeanInFlight = measured > TimeSpan.Zero ? histogram.Sum / measured : null,
            };

    private static double? At(LatencyHistogram histogram, double percentile) => histogram.Percentile(percentile)?.TotalMilliseconds;
}
