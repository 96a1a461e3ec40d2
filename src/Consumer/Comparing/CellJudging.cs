using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Embedded;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Consumer.Running;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>A cell with the verdict on it.</summary>
/// <param name="Finished">The cell.</param>
/// <param name="Judgement">The verdict, by the ledger and the journal that all cells share.</param>
internal sealed record JudgedCell(FinishedCell Finished, Judgement Judgement)
{
    public Cell Cell => Finished.Cell;

    /// <summary>Why it counts nowhere, or null. A rate at which something was lost is none.</summary>
    public string? Apart => Finished.Apart ?? (Judgement.Standing == SafetyVerdict.Clean || IsExpectedToFail ? null : Judgement.Line);

    // What an unsafe strategy loses under faults is what it is compared for.
    private bool IsExpectedToFail => Cell.Contender.Options.Strategy.IsUnsafe;
}

/// <summary>Judges every cell when the emulator has ended and its journal is whole.</summary>
internal static class CellJudging
{
    public static IReadOnlyList<JudgedCell> Judge(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells, EmbeddedServices services) =>
        [
            .. cells.Select(cell => new JudgedCell(
                cell,
                RunJudging.Judge(
                    cell.Cell.Contender.Options with
                    {
                        // The events are stamped with the name of who sent them.
                        Run = plan.Id,
                        Measuring = new MeasuringTimes(plan.WarmUp, plan.Length),
                    },
                    cell.Cell.Names.Of(services.Settings),
                    (services.Ledger, services.Journal),
                    named: true,
                    endedEarly: false
                )
            )),
        ];
}
