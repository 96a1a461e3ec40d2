namespace EventHubThroughput.Lab.Configuration;

/// <summary>The times of a run that is measured by the clock instead of by its backlog.</summary>
/// <param name="WarmUp">What is left out after the first batch has come. Null leaves out ten batches.</param>
/// <param name="Length">How long measuring lasts. Then the run ends and leaves the rest of its backlog. Null measures to the end of the backlog.</param>
internal sealed record MeasuringTimes(TimeSpan? WarmUp, TimeSpan? Length)
{
    /// <summary>The part of the time after which the run is checked for being hopeless.</summary>
    public const double LookAfter = 0.25;

    /// <summary>The fewest events that are enough for this check.</summary>
    public const int EventsForLook = 200;

    /// <summary>The rate in events a second below which the run is hopeless and ends there. Null measures it in full at any rate.</summary>
    public double? HopelessBelow { get; init; }
}
