namespace EventHubThroughput.Lab.Results;

/// <summary>Figures of a strategy of which no cell counts: the medians over its excluded cells with a clean verdict. Nothing is concluded from them.</summary>
internal sealed record ExcludedFigures
{
    /// <summary>How many cells the figures are of.</summary>
    public required int Cells { get; init; }

    /// <summary>Events a second.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>Median of an event's time from hand-over until both sinks have it, in milliseconds.</summary>
    public double? EventP50Ms { get; init; }

    /// <summary>The same at the percentile 99.</summary>
    public double? EventP99Ms { get; init; }

    /// <summary>Median of the time from an event's scheduled send time, or else from when it was enqueued, in milliseconds.</summary>
    public double? EndToEndP50Ms { get; init; }

    /// <summary>The same at the percentile 99.</summary>
    public double? EndToEndP99Ms { get; init; }

    /// <summary>The same at the percentile 99.9.</summary>
    public double? EndToEndP999Ms { get; init; }

    /// <summary>Processor time of the consumer for an event, in microseconds.</summary>
    public double? ConsumerCpuUsPerEvent { get; init; }
}
