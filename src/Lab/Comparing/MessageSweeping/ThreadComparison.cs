using EventHubThroughput.Comparison;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The rates of one point with the thread pool's own minimum, and with one above the concurrency.</summary>
/// <param name="Point">The point with the default thread pool.</param>
/// <param name="Own">Its rates.</param>
/// <param name="More">The rates with more threads.</param>
internal sealed record ThreadComparison(MessagePoint Point, IReadOnlyList<double> Own, IReadOnlyList<double> More)
{
    /// <summary>The median with more threads by the median without.</summary>
    public double Gain => More.Median() / Own.Median();

    /// <summary>Whether both have the cells that a conclusion needs.</summary>
    public bool IsRepeated => Math.Min(Own.Count, More.Count) >= MedianInterval.FewestForInterval;

    /// <summary>Whether each cell with the default thread pool was slower than each one with more threads.</summary>
    public bool IsSlowerThroughout => Own.Max() < More.Min();

    /// <summary>The points that have both.</summary>
    /// <param name="measured">Cells with a rate.</param>
    public static IReadOnlyList<ThreadComparison> Of(IReadOnlyList<MessageCell> measured) =>
        [
            .. measured
                .Where(static cell => !cell.Point.IsFixed)
                .GroupBy(static cell => cell.Point with { Threads = 0, Repeat = 0 })
                .Select(static same => new ThreadComparison(
                    same.Key,
                    GetRates(same.Where(static cell => cell.Point.Threads == 0)),
                    GetRates(same.Where(static cell => cell.Point.Threads >= cell.Point.Concurrency))
                ))
                .Where(static one => one.Own.Count > 0 && one.More.Count > 0),
        ];

    private static IReadOnlyList<double> GetRates(IEnumerable<MessageCell> cells) => [.. cells.Select(static cell => cell.MessagesPerS!.Value)];
}
