namespace EventHubThroughput.Workload;

// A draw that depends on seed and index alone (the finaliser of SplitMix64). So event 812 is the same whether or not earlier events
// were created, and on every version of the runtime.
public static class SeededDraw
{
    private const ulong Step = 0x9E3779B97F4A7C15;

    public static ulong Bits(long seed, long index)
    {
        var mixed = Mix((ulong)seed + Step);
        return Mix(mixed + ((ulong)index * Step));
    }

    /// <summary>Uniform from 0 (included) to 1 (excluded).</summary>
    public static double Fraction(long seed, long index) => (Bits(seed, index) >> 11) * (1.0 / (1UL << 53));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
