namespace EventHubThroughput.Telemetry;

/// <summary>The largest and the smallest of values from several threads, without a lock.</summary>
public static class InterlockedExtremes
{
    /// <summary>Keeps the larger of the present value and the new one.</summary>
    public static void KeepLargest(ref long largest, long value)
    {
        var seen = Volatile.Read(ref largest);
        while (value > seen)
        {
            var before = Interlocked.CompareExchange(ref largest, value, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }

    /// <summary>Keeps the smaller of the present value and the new one.</summary>
    public static void KeepSmallest(ref long smallest, long value)
    {
        var seen = Volatile.Read(ref smallest);
        while (value < seen)
        {
            var before = Interlocked.CompareExchange(ref smallest, value, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }
}
