using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class BlockOrderTests
{
    [Fact]
    public void Every_strategy_runs_once_between_two_runs_of_baseline() =>
        Prop.ForAll(
                Drawn,
                drawn =>
                {
                    string[] labels = ["baseline", .. Enumerable.Range(0, drawn.Count).Select(static index => $"s{index}")];
                    var order = BlockOrder.Of(labels, "baseline", drawn.Seed, drawn.Block);

                    return order[0] == "baseline" && order[^1] == "baseline" && order.SkipLast(1).Order().SequenceEqual(labels.Order());
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void The_same_seed_gives_the_same_order() =>
        Prop.ForAll(
                Drawn,
                drawn =>
                {
                    string[] labels = [.. Enumerable.Range(0, drawn.Count).Select(static index => $"s{index}")];
                    return BlockOrder.Of(labels, "baseline", drawn.Seed, drawn.Block).SequenceEqual(BlockOrder.Of(labels, "baseline", drawn.Seed, drawn.Block));
                }
            )
            .Check(PropertyCases.Usual);

    // A fixed value: another machine or runtime must run the same order for a recorded seed.
    [Fact]
    public void The_order_of_a_seed_is_part_of_the_record() =>
        Assert.Equal(
            ["baseline|outloop|combined|inloop|baseline", "baseline|outloop|inloop|combined|baseline"],
            new[] { 0, 1 }.Select(static block => string.Join('|', BlockOrder.Of(["baseline", "inloop", "outloop", "combined"], "baseline", seed: 7, block)))
        );

    [Fact]
    public void Every_strategy_has_each_place_about_equally_often_over_many_blocks()
    {
        var first = Enumerable.Range(0, 3000).CountBy(static block => BlockOrder.Of(["a", "b", "c"], "baseline", seed: 1, block)[1]).ToDictionary();

        Assert.All(first.Values, static count => Assert.InRange(count, 900, 1100));
    }

    private static Arbitrary<(int Count, long Seed, int Block)> Drawn =>
        (
            from count in Gen.Choose(0, 12)
            from seed in Gen.Choose(int.MinValue, int.MaxValue)
            from block in Gen.Choose(0, 50)
            select (count, (long)seed, block)
        ).ToArbitrary();
}
