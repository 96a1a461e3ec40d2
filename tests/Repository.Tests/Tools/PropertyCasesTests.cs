using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Tools;

/// <summary>The cases that every property gets.</summary>
public sealed class PropertyCasesTests
{
    [Fact]
    public void A_desk_tries_a_hundred_cases_and_CI_a_thousand() => Assert.Equal((100, 1_000), (Budget.UsualCases(isCI: false), Budget.UsualCases(isCI: true)));

    [Theory]
    [InlineData(1, 100)]
    [InlineData(20, 2_000)]
    [InlineData(0.2, 20)]
    [InlineData(0.001, 1)]
    public void A_property_has_the_cases_of_the_budget_times_its_own_factor(double factor, int expected) =>
        Assert.Equal(expected, Drawn(PropertyCases.Of(factor, 100, isCI: true, replay: null)).Count);

    [Fact]
    public void CI_draws_the_same_cases_each_time_and_a_desk_others() =>
        Assert.Multiple(
            static () => Assert.Equal(Drawn(Config(isCI: true)), Drawn(Config(isCI: true))),
            static () => Assert.NotEqual(Drawn(Config(isCI: false)), Drawn(Config(isCI: false)))
        );

    [Fact]
    public void A_failure_prints_the_seed_that_repeats_it()
    {
        var failed = new List<int>();
        var failure = Assert.ThrowsAny<Exception>(() => Wanted(Config(isCI: false), failed));
        var seed = failure.Message[failure.Message.IndexOf('(', failure.Message.IndexOf("shrink", StringComparison.Ordinal) + 8)..];

        var again = new List<int>();
        Assert.ThrowsAny<Exception>(() => Wanted(Config(isCI: false, seed[..(seed.IndexOf(')', StringComparison.Ordinal) + 1)]), again));

        Assert.Equal(failed, again);
    }

    [Theory]
    [InlineData("1")]
    [InlineData("(1,x)")]
    [InlineData("1,2,3")]
    public void An_invalid_replay_value_is_reported(string replay) =>
        Assert.Equal(
            $"EHT_REPLAY '{replay}': not the two numbers that a failure prints, such as (123,457)",
            Assert.Throws<InvalidOperationException>(() => Config(isCI: false, replay)).Message
        );

    private static Config Config(bool isCI, string? replay = null) => PropertyCases.Of(1, 100, isCI, replay);

    private static List<int> Drawn(Config config)
    {
        var drawn = new List<int>();
        Check.One(config, Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), drawn.Add));
        return drawn;
    }

    // Fails on about one case in ten.
    private static void Wanted(Config config, List<int> seen) =>
        Check.One(
            config,
            Prop.ForAll(
                Gen.Choose(0, int.MaxValue).ToArbitrary(),
                drawn =>
                {
                    seen.Add(drawn);
                    return drawn % 10 != 0;
                }
            )
        );
}
