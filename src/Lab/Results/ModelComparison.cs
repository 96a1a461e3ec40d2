namespace EventHubThroughput.Lab.Results;

/// <summary>The model's figures of such a run, and how the measurement compares with them.</summary>
internal sealed record ModelComparison
{
    /// <summary>The closed form in words, or that and how it was simulated.</summary>
    public required string Form { get; init; }

    /// <summary>Events a second by the model.</summary>
    public required double PredictedEventsPerS { get; init; }

    /// <summary>Measured rate by predicted rate. Null where batches were not full enough to be compared, or nothing was measured.</summary>
    public double? MeasuredToPredicted { get; init; }
}
