namespace EventHubThroughput.Comparison.Tests;

/// <summary>A service that serves one event after another, to which events are sent at a constant rate.</summary>
internal static class SimulatedQueue
{
    /// <summary>Whether the waits of its events grow, computed as for a cell: window by window of a second, by the end of their service.</summary>
    /// <param name="rate">Events a second.</param>
    /// <param name="capacity">How many it serves a second on average.</param>
    /// <param name="cv">How far the time of a service scatters.</param>
    /// <param name="warmUp">Seconds that are left out.</param>
    /// <param name="length">Seconds that are measured.</param>
    /// <param name="draws">What the services draw from.</param>
    public static RateOutcome GetOutcome(double rate, double capacity, double cv, int warmUp, int length, SeededSequence draws)
    {
        var sums = new double[length];
        var counts = new int[length];
        var free = 0.0;
        for (var number = 0; free < warmUp + length; number++)
        {
            var meant = number / rate;
            free = Math.Max(free, meant) + (SimulatedBlocks.Scatter(draws, cv) / capacity);
            if ((int)Math.Floor(free) - warmUp is >= 0 and var window && window < length)
            {
                sums[window] += free - meant;
                counts[window]++;
            }
        }

        return LagGrowth.IsSeen([.. sums.Zip(counts, static (sum, count) => sum / count)], 1) switch
        {
            true => RateOutcome.FellBehind,
            false => RateOutcome.Kept,
            null => RateOutcome.Unusable,
        };
    }
}
