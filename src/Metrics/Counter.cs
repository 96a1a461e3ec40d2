namespace EventHubThroughput.Metrics;

/// <summary>A count that only grows. Adding takes no lock and allocates nothing.</summary>
public sealed class Counter
{
    // Whole amounts, the common case, need one interlocked addition; parts are kept apart.
    private long whole;
    private double parts;

    internal Counter() { }

    public double Value => Volatile.Read(ref whole) + Volatile.Read(ref parts);

    public void Add(long amount = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(amount);
        Interlocked.Add(ref whole, amount);
    }

    public void Add(double amount)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(amount);
        AtomicDouble.Add(ref parts, amount);
    }
}
