using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Model.Tests;

/// <summary>The forms that there are for latencies that vary: docs/method.md names them, and no prediction uses them.</summary>
public sealed class VariableLatencyTests
{
    [Fact]
    public void Two_concurrent_exponential_sinks_take_their_sum_less_the_harmonic_share()
    {
        var rate = Some.Rate(
            new ModelSettings
            {
                Strategy = "pipelined",
                Profile = Some.Gamma(1),
                Events = 200_000,
            }
        );
        Assert.Equal(16_000 / 21.66, rate, 0.01 * rate);
    }

    [Theory]
    [InlineData(10, 10, 0.34)]
    [InlineData(100, 10, 0.84)]
    [InlineData(100, 32, 0.50)]
    [InlineData(300, 32, 0.75)]
    [InlineData(1000, 32, 0.91)]
    public void The_tail_of_a_batch_of_exponential_events_is_harmonic(int batch, int degree, double efficiency)
    {
        // One sink alone, no checkpoint: B / (B - d + d H_d) of d / v.
        var rate = Some.Rate(
            new ModelSettings
            {
                Strategy = "outloop",
                Profile = Some.Gamma(1, blob: 0, checkpoint: 0),
                Batch = batch,
                Degree = degree,
                Events = 100_000,
            }
        );
        Assert.Equal(efficiency, rate / (1_000 * degree / 18.52), 0.011);
    }

    [Theory]
    [InlineData(64, 0.46, 0.56)]
    [InlineData(128, 0.79, 0.92)]
    [InlineData(192, 0.95, 1.00)]
    [InlineData(256, 0.97, 1.01)]
    [InlineData(512, 0.98, 1.01)]
    public void A_window_as_wide_as_the_degree_halves_the_rate(int window, double least, double most)
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = Some.Gamma(0.5),
            Degree = 64,
            Window = window,
        };
        Assert.InRange(Some.Rate(settings) / (64_000 / 19.3), least, most);
    }

    [Fact]
    public void A_window_of_the_degree_costs_constant_latencies_at_most_its_documented_share()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = Some.Constant(),
            Degree = 64,
            Window = 64,
        };
        Assert.InRange(Some.Rate(settings) / (64_000 / 18.52), 0.85, 1.0);
    }

    [Fact]
    public void A_crash_repeats_no_more_than_window_and_checkpoint_events_and_twice_what_comes_in_a_write()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = Some.Gamma(0.5) with { CheckpointWrite = new() { MeanMilliseconds = 500 } },
            Degree = 64,
            Window = 8_192,
            Events = 100_000,
        };
        var figures = Some.Simulated(settings);
        Assert.InRange(figures.LargestReplay, 1, 8_192 + 1_000 + (2 * figures.EventsPerSecond * 0.5));
        Assert.True(figures.LargestReplay <= RunAhead.Of(settings, StrategyRule.Find("pipelined")!).Replay);
        Assert.Equal(64_000 / 19.3, figures.EventsPerSecond, 0.01 * figures.EventsPerSecond);
    }

    [Fact]
    public void Where_the_replay_limit_waits_for_checkpoints_half_of_it_passes_in_a_write()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = Some.Constant(checkpoint: 2_000),
            Degree = 64,
            Checkpoints = new CheckpointRule(100, 5_000),
            ReplayLimit = 4_000,
            Events = 100_000,
        };
        Assert.Equal(4_000 / (2 * 2.0), Some.Rate(settings), 0.06 * 1_000);
    }

    [Fact]
    public void A_checkpoint_after_every_thousand_events_is_one_for_a_thousand()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = LatencyProfiles.ArticleSpread,
            Degree = 64,
            Events = 100_000,
        };
        Assert.InRange(Some.Simulated(settings).CheckpointsPerThousand, 0.85, 1.05);
        Assert.Equal(100, Some.Simulated(settings with { Strategy = "combined" }).CheckpointsPerThousand, 1.0);
        Assert.Equal(
            0.2,
            Some.Simulated(settings with { Strategy = "functions", Batch = 100, Options = Every(50), Events = 50_000 }).CheckpointsPerThousand,
            0.05
        );
    }

    [Fact]
    public void Littles_law_holds()
    {
        var figures = Some.Simulated(
            new ModelSettings
            {
                Strategy = "combined",
                Profile = LatencyProfiles.LongTail,
                Batch = 100,
            }
        );
        Assert.Equal(figures.MeanInFlight, figures.EventsPerSecond * figures.SinceBegun.Mean / 1_000, 0.02 * figures.MeanInFlight);
    }

    private static Dictionary<string, int> Every(int batches) => new(StringComparer.Ordinal) { [StrategyRule.CheckpointBatches] = batches };
}
