using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The rest of a quota, stored as the time at which everything used so far is available again. It needs no timer, and on an exact clock the counts are exact.
/// Safe for several threads.
/// </summary>
internal sealed class QuotaMeter(RateQuota quota, long frequency)
{
    private readonly Lock _gate = new();
    private readonly double _burst = quota.BurstSeconds * frequency;

    // Guarded by the gate: when operations, events and bytes are available again.
    private double _operations;
    private double _events;
    private double _bytes;

    public TimeSpan Advice { get; } = TimeSpan.FromSeconds(quota.AdviseSeconds);

    public bool TryTake(long now, Load load)
    {
        lock (_gate)
        {
            var operations = After(_operations, now, 1, quota.OperationsPerSecond);
            var events = After(_events, now, load.Count, quota.EventsPerSecond);
            var bytes = After(_bytes, now, load.Bytes, quota.BytesPerSecond);
            if (operations is not { } first || events is not { } second || bytes is not { } third)
            {
                return false;
            }

            (_operations, _events, _bytes) = (first, second, third);
            return true;
        }
    }

    // A load above the whole burst is admitted when the quota is unused, and later loads wait for it.
    private double? After(double earned, long now, long amount, double rate)
    {
        if (rate <= 0)
        {
            return earned;
        }

        var from = Math.Max(earned, now);
        var cost = amount * frequency / rate;
        return from - now + Math.Min(cost, _burst) <= _burst ? from + cost : null;
    }
}
