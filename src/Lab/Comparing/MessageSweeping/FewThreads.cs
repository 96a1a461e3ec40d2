using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The rates of one point with a fixed thread pool below the concurrency, and with a pool that is large enough.</summary>
/// <param name="Point">The point with the fixed pool.</param>
/// <param name="Few">Its rates.</param>
/// <param name="Enough">The rates with enough threads.</param>
internal sealed record FewThreads(MessagePoint Point, IReadOnlyList<double> Few, IReadOnlyList<double> Enough)
{
    private const double AsFast = 0.95;

    /// <summary>The median with few threads by the median with enough.</summary>
    public double Share => Few.Median() / Enough.Median();

    /// <summary>The conclusion and what to do.</summary>
    public string Sentence =>
        Text(
            $"At {Point} the rate was {Share:0.00} of that with enough threads ({Figures.Rate(Few.Median())} against {Figures.Rate(Enough.Median())} messages/s, medians of {Few.Count} and {Enough.Count} cells)."
        )
        + (
            Share < AsFast
                ? " A handler that blocks holds a thread. Set the minimum of the pool above the concurrency, or await in the handler."
                : " A handler that awaits holds no thread."
        );

    /// <summary>The points that have both.</summary>
    /// <param name="measured">Cells with a rate.</param>
    public static IReadOnlyList<FewThreads> Of(IReadOnlyList<MessageCell> measured)
    {
        var enough = measured
            .Where(static cell => cell.Point.Threads >= cell.Point.Concurrency)
            .ToLookup(static cell => cell.Point with { Threads = 0, IsFixed = false, Repeat = 0 }, static cell => cell.MessagesPerS!.Value);
        return
        [
            .. measured
                .Where(static cell => cell.Point.IsFixed && cell.Point.Threads < cell.Point.Concurrency)
                .GroupBy(static cell => cell.Point with { Repeat = 0 })
                .Select(same => new FewThreads(
                    same.Key,
                    [.. same.Select(static cell => cell.MessagesPerS!.Value)],
                    [.. enough[same.Key with { Threads = 0, IsFixed = false }]]
                ))
                .Where(static one => one.Enough.Count > 0),
        ];
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
