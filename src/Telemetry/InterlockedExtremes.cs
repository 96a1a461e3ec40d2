namespace EventHubThroughput.Telemetry;

/// <summary>The largest and the smallest of values that come from several threads at once, without a lock.</summary>
public static class InterlockedExtremes
{
    /// <summary>Keeps the larger of what is there and the value.</summary>
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

    /// <summary>Keeps the smaller of what is there and the value.</summary>
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
