using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Whether a run at a constant rate falls behind: its events wait ever longer. Told by their mean time since they were meant to be sent, window by window,
/// which at a share p of the rate that is not completed rises by p seconds a second.
/// </summary>
internal static class LagGrowth
{
    /// <summary>The share of the rate that may stay behind without being called growth.</summary>
    public const double MostShare = 0.02;

    // The rule of the steady state, from which on a trend is one.
    private const double LeastP = 0.1;

    // With fewer no order of the windows is rare enough.
    private const int Fewest = 5;

    /// <summary>By how many seconds a second the wait rises: the median of the slopes of every two windows. Null with fewer than five windows.</summary>
    /// <param name="waits">Mean time since events were meant to be sent, in seconds, a window each, oldest first.</param>
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

    /// <summary>Whether the wait rises by more than 2 % of the time, and more steadily than chance has it. Null with fewer than five windows.</summary>
    /// <param name="waits">As for <see cref="Of"/>.</param>
    /// <param name="window">The length of a window, in seconds.</param>
    public static bool? IsSeen(IReadOnlyList<double> waits, double window) =>
        Of(waits, window) is { } share ? share > MostShare && MannKendall.TwoSidedP(waits) <= LeastP : null;
}
