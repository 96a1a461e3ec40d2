namespace EventHubThroughput.Comparison;

/// <summary>What a sweep measured at one degree.</summary>
/// <param name="Degree">The most events in flight per partition, from 1.</param>
/// <param name="Rate">Completed events per second, above 0.</param>
/// <param name="P99Ms">The 99th percentile of the time of an event, in milliseconds. Null with too few events.</param>
internal sealed record DegreeFigure(int Degree, double Rate, double? P99Ms = null);
