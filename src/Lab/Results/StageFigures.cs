using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Results;

/// <summary>How long a stage took, in milliseconds. Null where there are too few samples for a figure.</summary>
internal sealed record StageFigures
{
    /// <summary>How often it was measured.</summary>
    public required long Count { get; init; }

    /// <summary>The mean.</summary>
    public double? MeanMs { get; init; }

    /// <summary>The standard deviation.</summary>
    public double? SdMs { get; init; }

    /// <summary>The median.</summary>
    public double? P50Ms { get; init; }

    /// <summary>The percentile 75.</summary>
    public double? P75Ms { get; init; }

    /// <summary>The percentile 90.</summary>
    public double? P90Ms { get; init; }

    /// <summary>The percentile 95.</summary>
    public double? P95Ms { get; init; }

    /// <summary>The percentile 99.</summary>
    public double? P99Ms { get; init; }

    /// <summary>The percentile 99.9.</summary>
    public double? P999Ms { get; init; }

    /// <summary>The percentile 99.99.</summary>
    public double? P9999Ms { get; init; }

    /// <summary>The longest.</summary>
    public double? MaxMs { get; init; }

    /// <summary>How many were in progress concurrently, by Little's law: rate times mean time. Null when nothing was measured.</summary>
    public double? MeanInFlight { get; init; }

    /// <summary>
    /// The mean by Little's law divided by the mean counted over time, minus 1. Beyond 0.05 it is a timing error. For the stage event only. Null also if
    /// events were held or dead-lettered, and in a section shorter than 50 mean times.
    /// </summary>
    public double? LittleError { get; init; }

    /// <summary>
    /// All durations in buckets of 0.1 % or 512 ns, as a text that several runs' can be merged from: Base64 of a version byte and varints, see
    /// docs/method.md. Null when nothing was measured, and in results of earlier versions.
    /// </summary>
    public string? Histogram { get; init; }

    /// <summary>The figures with the histogram itself, as they are kept.</summary>
    public static StageFigures WithHistogram(LatencyHistogram histogram, TimeSpan measured) =>
        Of(histogram, measured) with
        {
            Histogram = histogram.Count == 0 ? null : histogram.ToText(),
        };

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
