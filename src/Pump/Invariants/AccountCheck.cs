using EventHubThroughput.Pump.Faults;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>Three counts of the events that became complete in one ownership, each kept by somebody else.</summary>
/// <param name="Watermark">By the low watermark.</param>
/// <param name="Sinks">By the acknowledgements of the sinks.</param>
/// <param name="Meters">By what went into metrics and result. Null where nobody measures.</param>
internal readonly record struct CompletionCounts(long Watermark, long Sinks, long? Meters);

/// <summary>Invariant I7 at the end of an ownership: everybody has counted the same.</summary>
internal static class AccountCheck
{
    public static void AtTheEnd(string partition, CompletionCounts counts, ProcessingFaults faults)
    {
        if (counts.Watermark != counts.Sinks || (counts.Meters is { } measured && counts.Watermark != measured))
        {
            faults.Report(
                ProcessingFaultKind.InvariantBreached,
                $"complete events of partition {partition} do not add up: {counts.Watermark} by the low watermark, {counts.Sinks} by the sinks, {counts.Meters} by the metrics"
            );
        }
    }
}
