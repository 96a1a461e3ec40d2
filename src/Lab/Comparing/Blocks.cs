using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The cells of a comparison as input of the statistics: labels, figures and whether each figure counts.</summary>
internal static class Blocks
{
    /// <summary>Whether a block counts, as far as that is known before the verdicts.</summary>
    public static bool Counts(ComparisonPlan plan, IEnumerable<FinishedCell> cells, int block) =>
        DriftRule.Counts(
            new Block([
                .. cells
                    .Where(cell => cell.Cell.Block == block)
                    .Select(cell => GetResult(plan.By, cell.Cell.ComparedConfiguration.Label, cell.Result, cell.Apart is not null)),
            ]),
            plan.Reference.Label,
            plan.Repeats
        );

    /// <summary>All blocks by their numbers. One that was cut short is not among them.</summary>
    public static IReadOnlyDictionary<int, Block> Of(ComparisonPlan plan, IEnumerable<ComparedCell> cells) => Of(plan.By, plan.CellsOfBlock, cells);

    /// <inheritdoc cref="Of(ComparisonPlan, IEnumerable{ComparedCell})"/>
    public static IReadOnlyDictionary<int, Block> Of(ComparedBy by, int cellsOfBlock, IEnumerable<ComparedCell> cells) =>
        cells
            .GroupBy(static cell => cell.Block)
            .Where(block => block.Count() == cellsOfBlock)
            .OrderBy(static block => block.Key)
            .ToDictionary(
                static block => block.Key,
                block => new Block([
                    .. block.OrderBy(static cell => cell.OrderInBlock).Select(cell => GetResult(by, cell.Label, cell.Result, cell.Apart is not null)),
                ])
            );

    private static CellResult GetResult(ComparedBy by, string label, RunResult? result, bool isApart) =>
        new(
            label,
            ComparedFigure.Of(result, by) ?? 0,
            result switch
            {
                _ when isApart => result switch
                {
                    { Safety.Verdict: SafetyVerdict.Failed } => CellStatus.FailedVerdict,
                    { Time.Settled: false } => CellStatus.NotSettled,
                    _ => CellStatus.ProfileMissed,
                },
                { Bounds.Bound: RateBound.Emulator } => CellStatus.EmulatorBound,
                { Bounds.Bound: RateBound.Input } => CellStatus.InputBound,
                { Input.FallsBehind: true } => CellStatus.FallsBehind,
                _ => CellStatus.Ok,
            }
        );
}
