namespace EventHubThroughput.Comparison;

/// <summary>What a sweep measured at one degree.</summary>
/// <param name="Degree">Events in flight per partition at most, from 1.</param>
/// <param name="Rate">Completed events per second, above 0.</param>
/// <param name="P99Ms">The 99th percentile of the time of an event, in milliseconds. Null with too few events to tell it.</param>
internal sealed record DegreeFigure(int Degree, double Rate, double? P99Ms = null);
