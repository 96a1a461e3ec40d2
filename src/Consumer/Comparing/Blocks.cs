using EventHubThroughput.Comparison;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The cells of a comparison as the statistics see them: labels, rates and what each rate is good for.</summary>
internal static class Blocks
{
    /// <summary>Whether a block counts, as far as that is known before the verdicts.</summary>
    public static bool Counts(ComparisonPlan plan, IEnumerable<FinishedCell> cells, int block) =>
        plan.Repeats < MedianInterval.FewestForInterval
        || DriftRule.Keeps(
            new Block([
                .. cells
                    .Where(cell => cell.Cell.Block == block)
                    .Select(static cell => ResultOf(cell.Cell.Contender.Label, cell.Result, isApart: cell.Apart is not null)),
            ]),
            plan.Reference.Label
        );

    /// <summary>All blocks by their numbers; one that was cut short is not among them.</summary>
    public static IReadOnlyDictionary<int, Block> Of(ComparisonPlan plan, IEnumerable<ComparedCell> cells) =>
        cells
            .GroupBy(static cell => cell.Block)
            .Where(block => block.Count() == plan.CellsOfBlock)
            .OrderBy(static block => block.Key)
            .ToDictionary(
                static block => block.Key,
                static block => new Block([
                    .. block
                        .OrderBy(static cell => cell.OrderInBlock)
                        .Select(static cell => ResultOf(cell.Label, cell.Result, isApart: cell.Apart is not null)),
                ])
            );

    private static CellResult ResultOf(string label, RunResult? result, bool isApart) =>
        new(
            label,
            result?.Throughput.EventsPerS ?? 0,
            result?.Bounds.Bound switch
            {
                _ when isApart => result?.Safety.Verdict == SafetyVerdict.Failed ? CellStatus.FailedVerdict : CellStatus.ProfileMissed,
                RateBound.Emulator => CellStatus.EmulatorBound,
                RateBound.Input => CellStatus.InputBound,
                _ => CellStatus.Ok,
            }
        );
}
