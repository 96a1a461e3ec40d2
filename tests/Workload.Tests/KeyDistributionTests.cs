using Xunit;

namespace EventHubThroughput.Workload.Tests;

public sealed class KeyDistributionTests
{
    private const int Draws = 100_000;

    [Fact]
    public void No_keys_means_no_key() => Assert.Null(new KeyDistribution(0, 1, 1).GetKey(7));

    [Fact]
    public void Without_skew_the_keys_are_equally_frequent_and_in_no_order()
    {
        var keys = new KeyDistribution(4, 0, 1);
        var drawn = Enumerable.Range(0, Draws).Select(i => keys.GetKey(i)!).ToList();
        var counts = drawn.CountBy(key => key).ToDictionary(StringComparer.Ordinal);

        Assert.Equal(["key-0", "key-1", "key-2", "key-3"], counts.Keys.Order(StringComparer.Ordinal));
        Assert.All(counts.Values, count => Assert.Equal(0.25, (double)count / Draws, 0.01));

        // One event in four has the key of the one before it. In turn none had.
        Assert.Equal(0.25, (double)drawn.Zip(drawn.Skip(1)).Count(pair => pair.First == pair.Second) / Draws, 0.01);
        Assert.Equal(0.25, keys.HottestShare);
    }

    [Theory]
    [InlineData(0.8)]
    [InlineData(1.0)]
    [InlineData(1.2)]
    public void With_skew_the_shares_follow_zipf(double skew)
    {
        var keys = new KeyDistribution(1000, skew, 42);
        var counts = Enumerable.Range(0, Draws).CountBy(i => keys.GetKey(i)!).ToDictionary(StringComparer.Ordinal);
        var harmonic = Enumerable.Range(1, 1000).Sum(rank => Math.Pow(rank, -skew));

        foreach (var rank in new[] { 1, 2, 3, 10 })
        {
            var expected = Math.Pow(rank, -skew) / harmonic;
            var seen = (double)counts[$"key-{rank - 1}"] / Draws;

            // Five standard deviations of a binomial share. The seed is fixed, so the result is too.
            Assert.Equal(expected, seen, 5 * Math.Sqrt(expected * (1 - expected) / Draws));
        }

        Assert.Equal(1 / harmonic, keys.HottestShare, 1e-9);
    }

    [Fact]
    public void A_draw_depends_on_seed_and_index_alone()
    {
        var first = new KeyDistribution(1000, 1, 1);
        var backwards = Enumerable.Range(0, 100).Reverse().Select(i => first.GetKey(i)).Reverse();

        Assert.Equal(Enumerable.Range(0, 100).Select(i => new KeyDistribution(1000, 1, 1).GetKey(i)), backwards);
        Assert.NotEqual(backwards, Enumerable.Range(0, 100).Select(i => new KeyDistribution(1000, 1, 2).GetKey(i)));
    }

    [Fact]
    public void One_key_is_always_drawn() => Assert.All(Enumerable.Range(0, 50), i => Assert.Equal("key-0", new KeyDistribution(1, 1, 3).GetKey(i)));
}
