using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class KillScheduleTests
{
    [Fact]
    public void Is_fair_to_strategies_kinds_and_the_pairs_of_both()
    {
        var hands = from strategies in Gen.Choose(1, 9) from kinds in Gen.Choose(1, 16) from cycles in Gen.Choose(0, 400) select (strategies, kinds, cycles);

        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(hands),
                hand =>
                {
                    var dealt = KillSchedule.Deal(hand.strategies, hand.kinds, hand.cycles);

                    Assert.Equal(hand.strategies, dealt.Count);
                    Assert.Equal(hand.cycles, dealt.Sum(kinds => kinds.Count));
                    Assert.All(dealt.SelectMany(kinds => kinds), kind => Assert.InRange(kind, 0, hand.kinds - 1));
                    AssertEven(dealt.Select(kinds => kinds.Count));
                    AssertEven(Enumerable.Range(0, hand.kinds).Select(kind => dealt.Sum(kinds => kinds.Count(one => one == kind))));
                    AssertEven(from kind in Enumerable.Range(0, hand.kinds) from kinds in dealt select kinds.Count(one => one == kind));
                }
            )
        );
    }

    [Theory]
    [InlineData(14, 1, 7, "0 2 4 6 8 10 12")]
    [InlineData(14, 1, 3, "0 4 9")]
    [InlineData(14, 1, 16, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 1 2")]
    [InlineData(14, 4, 4, "0|3|7|10")]
    [InlineData(4, 4, 8, "0 1|1 2|2 3|3 0")]
    public void Spreads_few_cycles_over_the_whole_order_and_goes_round_with_many(int kinds, int strategies, int cycles, string expected) =>
        Assert.Equal(expected, string.Join('|', KillSchedule.Deal(strategies, kinds, cycles).Select(one => string.Join(' ', one))));

    private static void AssertEven(IEnumerable<int> counts)
    {
        int[] all = [.. counts];
        Assert.InRange(all.Max() - all.Min(), 0, 1);
    }
}
