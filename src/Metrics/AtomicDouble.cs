namespace EventHubThroughput.Metrics;

internal static class AtomicDouble
{
    public static void Add(ref double target, double amount)
    {
        var seen = Volatile.Read(ref target);
        while (true)
        {
            var before = Interlocked.CompareExchange(ref target, seen + amount, seen);

            // Compared by bits: NaN never equals itself.
            if (BitConverter.DoubleToInt64Bits(before) == BitConverter.DoubleToInt64Bits(seen))
            {
                return;
            }

            seen = before;
        }
    }
}
