namespace EventHubThroughput.Workload;

/// <summary>The sizes of bodies, each with its share of the events. The size is drawn at random, and is always the same for the same seed and index.</summary>
public sealed class SizeMix
{
    // Keys are drawn from the seed itself. This constant makes the sizes independent of them.
    private const long OwnStream = 0x51_7E_5A_11;

    private readonly int[] sizes;

    // The cumulative weight up to and including each size.
    private readonly long[] cumulative;

    /// <param name="parts">The sizes in bytes, at least 0, each with its weight, at least 1.</param>
    public SizeMix(IReadOnlyList<(int Size, int Weight)> parts)
    {
        ArgumentOutOfRangeException.ThrowIfZero(parts.Count, nameof(parts));
        foreach (var (size, weight) in parts)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(size, nameof(parts));
            ArgumentOutOfRangeException.ThrowIfLessThan(weight, 1, nameof(parts));
        }

        sizes = [.. parts.Select(static part => part.Size)];
        cumulative = new long[sizes.Length];
        var sum = 0L;
        for (var place = 0; place < sizes.Length; place++)
        {
            cumulative[place] = sum += parts[place].Weight;
        }
    }

    /// <summary>The size of an event's body in bytes.</summary>
    /// <param name="seed">The seed of the draw.</param>
    /// <param name="index">The event's number in the run.</param>
    public int SizeOf(long seed, long index)
    {
        var drawn = (long)(SeededDraw.Fraction(seed ^ OwnStream, index) * cumulative[^1]);
        var found = Array.BinarySearch(cumulative, drawn);
        return sizes[found < 0 ? ~found : found + 1];
    }
}
