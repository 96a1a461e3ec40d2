using System.Numerics;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// Count, mean, deviation and percentiles of durations in fixed memory. Percentiles come from buckets of microseconds that are less than 1.6 % wide. Not safe
/// for several threads.
/// </summary>
internal sealed class LatencyStatistics
{
    private const int Doublings = 32;
    private const int PerDoubling = 64;

    private readonly long[] _buckets = new long[(Doublings + 2) * PerDoubling];
    private long _count;
    private double _mean;
    private double _squares;

    public long Throttles { get; set; }

    public void Add(TimeSpan duration)
    {
        // Welford's recurrence: stable at any count.
        _count++;
        var off = duration.TotalMilliseconds - _mean;
        _mean += off / _count;
        _squares += off * (duration.TotalMilliseconds - _mean);
        _buckets[GetBucket((long)duration.TotalMicroseconds)]++;
    }

    public ObservedLatency Observe(EmulatedOperation operation, LatencyLaw law) =>
        new(operation)
        {
            AskedMeanMilliseconds = law.TotalMeanMilliseconds,
            AskedDeviationMilliseconds = Math.Sqrt((law.DeviationMilliseconds * law.DeviationMilliseconds) + StragglerVariance(law)),
            Count = _count,
            MeanMilliseconds = _mean,
            DeviationMilliseconds = _count > 1 ? Math.Sqrt(_squares / (_count - 1)) : 0,
            MedianMilliseconds = Percentile(0.50),
            P99Milliseconds = Percentile(0.99),
            Throttles = Throttles,
        };

    private static double StragglerVariance(LatencyLaw law) =>
        law.StragglerEvery > 0
            ? law.StragglerMilliseconds * law.StragglerMilliseconds * (law.StragglerEvery - 1) / ((double)law.StragglerEvery * law.StragglerEvery)
            : 0;

    // One bucket for each of the first 128 microseconds, then 64 for each doubling.
    private static int GetBucket(long microseconds)
    {
        var value = Math.Clamp(microseconds, 0, (1L << Doublings) - 1);
        var shift = value < 2 * PerDoubling ? 0 : BitOperations.Log2((ulong)value) - 6;
        return (shift * PerDoubling) + (int)(value >> shift);
    }

    private static double GetMiddle(int bucket)
    {
        var shift = bucket < 2 * PerDoubling ? 0 : (bucket / PerDoubling) - 1;
        var low = (long)(bucket - (shift * PerDoubling)) << shift;
        return (low + ((1L << shift) / 2.0)) / 1_000;
    }

    private double Percentile(double share)
    {
        var rank = (long)Math.Ceiling(share * _count);
        long seen = 0;
        for (var bucket = 0; bucket < _buckets.Length; bucket++)
        {
            seen += _buckets[bucket];
            if (rank > 0 && seen >= rank)
            {
                return GetMiddle(bucket);
            }
        }

        return 0;
    }
}
