namespace EventHubThroughput.Consumer.Results;

/// <summary>The parts of the run's time, in seconds.</summary>
internal sealed record TimeFigures
{
    /// <summary>From the start until the first batch; null when there was none.</summary>
    public double? ClaimS { get; init; }

    /// <summary>From the first batch until the measured section; null when there was none.</summary>
    public double? WarmupS { get; init; }

    /// <summary>The measured section; null when nothing was measured.</summary>
    public double? MeasuredS { get; init; }

    /// <summary>From the end of the measured section, where a partition of several ran dry, until the last completion; null when none did.</summary>
    public double? TailS { get; init; }
}
