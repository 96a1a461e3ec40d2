using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Embedded;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Consumer.Running;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Judges every cell when the emulator has ended and its journal is whole, and makes of each what stands in the result.</summary>
internal static class CellJudging
{
    public static IReadOnlyList<ComparedCell> Judge(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells, EmbeddedServices services) =>
        [.. cells.Select(cell => CellOf(plan, cell, JudgementOf(plan, cell, services)))];

    private static Judgement JudgementOf(ComparisonPlan plan, FinishedCell cell, EmbeddedServices services) =>
        RunJudging.Judge(
            cell.Cell.Contender.Options with
            {
                // The events are stamped with the name of who sent them.
                Run = cell.Hub.Sender,
                Measuring = new MeasuringTimes(plan.WarmUp, plan.Length),
            },
            cell.Cell.Names.Of(services.Settings, cell.Hub),
            (cell.Hub.Ledger, services.Journal),
            named: true,
            endedEarly: false
        );

    private static ComparedCell CellOf(ComparisonPlan plan, FinishedCell cell, Judgement judgement)
    {
        // A rate at which something was lost is none; what an unsafe strategy loses is what it is compared for.
        var voids = judgement.Standing != SafetyVerdict.Clean && !cell.Cell.Contender.Options.Strategy.IsUnsafe;
        return new ComparedCell
        {
            Label = cell.Cell.Contender.Label,
            Block = cell.Cell.Block,
            OrderInBlock = cell.Cell.Place,
            Apart = cell.Apart ?? (voids ? judgement.Line : null),
            Mark = cell.Mark,
            ProfileMissedBy = cell.MissedBy,
            Search = cell.Search,
            Result = CellResultDocument.Of(plan, cell, judgement),
        };
    }
}
