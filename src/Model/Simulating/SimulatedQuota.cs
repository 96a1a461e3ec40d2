using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// A rate beyond which operations are refused. Its state is the time at which everything that was taken is earned again. Savings of up to the burst may be
/// used immediately.
/// </summary>
/// <param name="quota">The quota.</param>
internal sealed class SimulatedQuota(RateQuota quota)
{
    private readonly double burst = quota.BurstSeconds * 1_000;
    private double operations;
    private double events;
    private double bytes;

    /// <summary>The wait that a refused client is advised, in milliseconds.</summary>
    public double Advice => quota.AdviseSeconds * 1_000;

    /// <summary>Operations that were refused.</summary>
    public long Refused { get; private set; }

    /// <summary>Takes from the quota unless too little is left.</summary>
    public bool TryTake(double now, SimulatedLoad load)
    {
        if (
            EarnedAfter(operations, now, 1, quota.OperationsPerSecond) is { } first
            && EarnedAfter(events, now, load.Events, quota.EventsPerSecond) is { } second
            && EarnedAfter(bytes, now, load.Bytes, quota.BytesPerSecond) is { } third
        )
        {
            (operations, events, bytes) = (first, second, third);
            return true;
        }

        Refused++;
        return false;
    }

    // Null when it is too much. A load larger than the whole burst is admitted when nothing else was taken.
    private double? EarnedAfter(double earned, double now, double amount, double rate)
    {
        if (rate <= 0)
        {
            return earned;
        }

        var from = Math.Max(earned, now);
        var cost = 1_000 * amount / rate;
        return from - now + Math.Min(cost, burst) <= burst ? from + cost : null;
    }
}
