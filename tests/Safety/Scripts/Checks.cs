using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>What rows expect beyond exit code, text and verdict.</summary>
internal static class Checks
{
    public static string? NoMoreDuplicatesThanStrikes(CellFacts facts) => facts.Verdict.DuplicateServiceBus <= facts.Strikes
        ? null : $"{facts.Verdict.DuplicateServiceBus} duplicates, but only {facts.Strikes} lost answers";

    public static string? NoDuplicates(CellFacts facts) => facts.Verdict.DuplicateServiceBus == 0
        ? null : $"{facts.Verdict.DuplicateServiceBus} duplicates, expected none";
}
