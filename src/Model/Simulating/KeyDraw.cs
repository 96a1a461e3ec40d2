namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Keys of the events of one partition, drawn at random: that of rank r (from 1) with a probability in proportion to 1 / r^s. The keys are dealt out to the
/// partitions by rank.
/// </summary>
internal sealed class KeyDraw
{
    private readonly double[] cumulative;
    private readonly Random random;

    private readonly int first;
    private readonly int partitions;

    private KeyDraw(double[] cumulative, Random random, int first, int partitions) =>
        (this.cumulative, this.random, this.first, this.partitions) = (cumulative, random, first, partitions);

    /// <summary>The keys of a partition. Null where events have none.</summary>
    public static KeyDraw? Of(StrategyParts parts)
    {
        var settings = parts.Settings;
        if (settings.Keys == 0)
        {
            return null;
        }

        List<double> sums = [];
        var sum = 0.0;
        for (var rank = parts.Number % settings.Keys; rank < settings.Keys; rank += settings.Partitions)
        {
            sums.Add(sum += Math.Pow(rank + 1, -settings.KeySkew));
        }

        return new KeyDraw(
            [.. sums.Select(one => one / sum)],
            parts.Services.RandomOf(2_000 + parts.Number),
            parts.Number % settings.Keys,
            settings.Partitions
        );
    }

    /// <summary>The key of the next event, by its number: the sender's rank, from 0.</summary>
    public int Next()
    {
        var found = Array.BinarySearch(cumulative, random.NextDouble());
        return first + (partitions * Math.Min(found < 0 ? ~found : found + 1, cumulative.Length - 1));
    }
}
