using EventHubThroughput.Workload;

namespace EventHubThroughput.Comparison;

/// <summary>Random numbers that depend only on the seed, on every machine and every version of the runtime. For one thread.</summary>
/// <param name="seed">Any number. It is recorded together with the results.</param>
internal sealed class SeededSequence(long seed)
{
    private long drawn;

    /// <summary>Uniform in 0 (included) to 1 (excluded).</summary>
    public double Fraction() => SeededDraw.Fraction(seed, drawn++);

    /// <summary>Uniform in 0 (included) to <paramref name="limit"/> (excluded).</summary>
    /// <param name="limit">At least 1.</param>
    public int Below(int limit) => (int)(((SeededDraw.Bits(seed, drawn++) >> 32) * (ulong)limit) >> 32);

    /// <summary>A separate sequence for a part with a number, such as a block.</summary>
    public static SeededSequence For(long seed, long part) => new((long)SeededDraw.Bits(seed, part));
}
