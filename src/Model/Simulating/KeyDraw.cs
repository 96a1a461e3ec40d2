namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// The keys of one partition's events, drawn at random: that of rank r (from 1) has a probability proportional to 1 / r^s. The keys are distributed to the
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

    /// <summary>Creates the keys of a partition. Null if events have none.</summary>
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
            parts.Services.GetRandom(2_000 + parts.Number),
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
