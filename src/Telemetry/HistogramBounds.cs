namespace EventHubThroughput.Telemetry;

/// <summary>Bucket bounds in seconds.</summary>
public static class HistogramBounds
{
    /// <summary>For writes to services: fine in the range where strategies differ. Powers of two would hide the difference.</summary>
    public static IReadOnlyList<double> Durations { get; } = [0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5];
}
