namespace EventHubThroughput.Lab.Results;

/// <summary>Reads the figure by which cells are compared.</summary>
internal static class ComparedFigure
{
    // A percentile is shown when ten samples are beyond it. With fewer events than these there is no 99th one.
    private const int EventsForP99 = 1_100;

    /// <summary>The fewest events of a cell that have a median.</summary>
    public const int EventsForP50 = 22;

    /// <summary>The figure for events that are sent at a rate: the tail of their times, where a cell has enough of them.</summary>
    /// <param name="events">How many events of a cell are measured.</param>
    public static ComparedBy OfLatency(long events) => events >= EventsForP99 ? ComparedBy.P99 : ComparedBy.P50;

    /// <summary>Whether the figure is one of events a second, and not of a time.</summary>
    public static bool IsRate(ComparedBy by) => by is ComparedBy.Rate or ComparedBy.Sustained;

    /// <summary>The name of a strategy's rate, with its unit.</summary>
    public static string RateName(ComparedBy by) => by == ComparedBy.Sustained ? "sustained/s" : "events/s";

    /// <summary>The figure of a cell, which is better where it is higher: a rate, or how often such a time goes into a second. Null where it has none.</summary>
    public static double? Of(RunResult? result, ComparedBy by) =>
        by switch
        {
            ComparedBy.Rate => result?.Throughput.EventsPerS,
            ComparedBy.Sustained => result?.Input.RateIntendedPerS,
            ComparedBy.P50 => 1000 / EndToEnd(result)?.P50Ms,
            _ => 1000 / EndToEnd(result)?.P99Ms,
        };

    /// <summary>The time of an event from its scheduled send time, or else from when it was enqueued.</summary>
    public static StageFigures? EndToEnd(RunResult? result) => result?.Stages.GetValueOrDefault("endtoend");
}
