using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Whether a run cannot keep its constant rate: the waiting times of its events increase continuously. It uses their mean time since the scheduled send
/// time, window by window. If a share p of the rate is not completed, that time increases by p seconds a second.
/// </summary>
internal static class LagGrowth
{
    /// <summary>The share of the rate that may remain incomplete without counting as growth.</summary>
    public const double MostShare = 0.02;

    // The limit of the steady state for a trend.
    private const double LeastP = 0.1;

    // With fewer windows no order of them is rare enough.
    private const int Fewest = 5;

    /// <summary>The increase of the wait in seconds per second: the median of the slopes of every two windows. Null with fewer than five windows.</summary>
    /// <param name="waits">Mean time since the scheduled send time, in seconds, one value per window, oldest first.</param>
    /// <param name="window">The length of a window, in seconds.</param>
    public static double? Of(IReadOnlyList<double> waits, double window)
    {
        if (waits.Count < Fewest)
        {
            return null;
        }

        List<double> slopes = [];
        for (var later = 1; later < waits.Count; later++)
        {
            for (var earlier = 0; earlier < later; earlier++)
            {
                slopes.Add((waits[later] - waits[earlier]) / ((later - earlier) * window));
            }
        }

        return slopes.Median();
    }

    /// <summary>Whether the wait increases by more than 2 % of the time, and more steadily than by chance. Null with fewer than five windows.</summary>
    /// <param name="waits">As for <see cref="Of"/>.</param>
    /// <param name="window">The length of a window, in seconds.</param>
    public static bool? IsSeen(IReadOnlyList<double> waits, double window) =>
        Of(waits, window) is { } share ? share > MostShare && MannKendall.TwoSidedP(waits) <= LeastP : null;
}
