using EventHubThroughput.Pump.Faults;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>Three independent counts of the events that became complete in one ownership.</summary>
/// <param name="Watermark">By the low watermark.</param>
/// <param name="Sinks">By the acknowledgements of the sinks.</param>
/// <param name="Meters">The count in metrics and result. Null where nothing is measured.</param>
internal readonly record struct CompletionCounts(long Watermark, long Sinks, long? Meters);

/// <summary>Invariant I7 at the end of an ownership: all counts are equal.</summary>
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
