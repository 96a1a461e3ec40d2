using EventHubThroughput.Comparison;
using EventHubThroughput.Consumer.Measurement;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The cells of a comparison as the statistics see them: labels, rates and what each rate is good for.</summary>
internal static class Blocks
{
    /// <summary>Whether a block counts, as far as that is known before the verdicts.</summary>
    public static bool Counts(ComparisonPlan plan, IEnumerable<FinishedCell> cells, int block) =>
        plan.Repeats < MedianInterval.FewestForInterval
        || DriftRule.Keeps(
            new Block([.. cells.Where(cell => cell.Cell.Block == block).Select(static cell => Result(cell, cell.Apart is null))]),
            plan.Reference.Label
        );

    /// <summary>All blocks, with the verdicts; one that was cut short is not among them.</summary>
    public static IReadOnlyList<Block> Of(ComparisonPlan plan, IEnumerable<JudgedCell> cells) =>
        [
            .. cells
                .GroupBy(static cell => cell.Cell.Block)
                .Where(block => block.Count() == plan.CellsOfBlock)
                .OrderBy(static block => block.Key)
                .Select(static block => new Block([
                    .. block.OrderBy(static cell => cell.Cell.Place).Select(static cell => Result(cell.Finished, cell.Apart is null)),
                ])),
        ];

    private static CellResult Result(FinishedCell cell, bool counts) => new(cell.Cell.Contender.Label, cell.EventsPerSecond ?? 0, StatusOf(cell, counts));

    private static CellStatus StatusOf(FinishedCell cell, bool counts) =>
        cell.Result?.Bounds.Bound switch
        {
            _ when cell.Apart is not null => CellStatus.ProfileMissed,
            _ when !counts => CellStatus.FailedVerdict,
            RateBound.Emulator => CellStatus.EmulatorBound,
            RateBound.Input => CellStatus.InputBound,
            _ => CellStatus.Ok,
        };
}
