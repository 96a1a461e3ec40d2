using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>How many events a comparison needs, so that no cell completes its backlog before it has been measured.</summary>
internal static class ComparisonDemand
{
    // Latencies are drawn, and a prediction may be too low.
    private const double Reserve = 1.3;
    private const int Least = 2_000;
    private const int Most = 2_000_000;

    // For a rate that the model does not predict: more than the emulator has ever answered on this machine.
    private const double Unknown = 15_000;

    /// <summary>The events for the fastest configuration.</summary>
    public static int GetEvents(ComparisonPlan plan)
    {
        var fastest = plan.Configurations.Max(configuration =>
            ModelChoice.GetPrediction(configuration.Options with { Load = configuration.GetLoad(plan) })?.EventsPerSecond ?? Unknown
        );
        var events = Reserve * Math.Min(fastest, Unknown) * (plan.WarmUp + plan.Length).TotalSeconds;
        return (int)Math.Clamp(events, Least, Most);
    }
}
