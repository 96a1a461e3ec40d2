namespace EventHubThroughput.Consumer.Results;

/// <summary>The closed form for such a run, and how the measurement compares with it.</summary>
internal sealed record ModelComparison
{
    /// <summary>The form in words.</summary>
    public required string Form { get; init; }

    /// <summary>Events a second by the form.</summary>
    public required double PredictedEventsPerS { get; init; }

    /// <summary>Measured rate by predicted rate; null where batches were not full enough to be compared, or nothing was measured.</summary>
    public double? MeasuredToPredicted { get; init; }
}
