using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Model.Tests;

/// <summary>What no run can exceed, and what laws beside latencies do.</summary>
public sealed class LimitTests
{
    private static readonly string[] Names =
    [
        "baseline",
        "inloop",
        "outloop",
        "combined",
        "pipelined",
        "keyed",
        "keyed-shards",
        "batched",
        "whenall",
        "functions",
    ];

    [Fact]
    public void No_rate_is_above_what_degree_sender_and_reading_allow() =>
        Prop.ForAll(
                Cases(),
                one =>
                {
                    var rate = Some.Rate(one);
                    var rule = StrategyRule.Find(one.Strategy)!;
                    var times = ConstantTimes.Of(one.Profile)!;
                    var perEvent = rule.SinksConcurrently ? times.Longer : times.Send + times.Blob;
                    var writing = rule.Discipline == Discipline.Groups ? 1_000 * one.Degree / times.Blob : 1_000 * rule.GetDegree(one) / perEvent;
                    var sending = rule.Discipline == Discipline.Groups ? double.PositiveInfinity : 1_000 / times.Serial;

                    // Batches and waves come whole: one of them may be in what was measured and its time not.
                    var whole = 1.002 + ((one.Batch + one.Degree) / (0.9 * one.Events));
                    return rate <= whole * Math.Min(Math.Min(writing, sending), 1_000 * one.Batch / times.Receive);
                }
            )
            .Check(PropertyCases.Times(0.3));

    [Fact]
    public void With_a_barrier_and_constant_latencies_no_higher_degree_is_slower() =>
        Prop.ForAll(
                Cases(),
                one =>
                {
                    var settings = one with { Strategy = one.Degree % 2 == 0 ? "outloop" : "combined" };
                    return Some.Rate(settings with { Degree = settings.Degree + 1 }) >= 0.999 * Some.Rate(settings);
                }
            )
            .Check(PropertyCases.Times(0.3));

    [Theory]
    [InlineData(8)]
    [InlineData(40)]
    [InlineData(150)]
    public void A_knee_bounds_every_degree_and_is_where_an_adaptive_degree_settles(int places)
    {
        var settings = new ModelSettings
        {
            Strategy = "adaptive",
            Profile = LatencyProfiles.Named($"knee-{places}"),
            Degree = 256,
        };
        var prediction = Predictor.GetPrediction(settings)!;
        Assert.Equal(100.0 * places, prediction.EventsPerSecond, 4.0 * places);
        Assert.Equal(100.0 * places, Some.Rate(settings with { Strategy = "pipelined" }), 1.0 * places);
    }

    [Fact]
    public void A_pace_of_operations_is_shared_by_what_goes_together()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = LatencyProfiles.Ops200,
            Degree = 64,
        };
        Assert.Equal(200, Some.Rate(settings), 2.0);
        Assert.True(Some.Rate(settings with { Strategy = "batched" }) >= 5 * 200);
    }

    [Fact]
    public void A_quota_lets_through_what_it_grants_and_advises_the_rest_to_wait()
    {
        var figures = Some.Simulated(
            new ModelSettings
            {
                Strategy = "pipelined",
                Profile = LatencyProfiles.AzureStandard,
                Degree = 64,
                Events = 60_000,
            }
        );
        Assert.InRange(figures.EventsPerSecond, 500, 1_020);
        Assert.True(figures.ThrottlesPerThousand > 0);
    }

    [Fact]
    public void A_hub_delivers_no_more_than_its_throughput_unit()
    {
        var profile = (LatencyProfiles.None with { Name = "unit" }).WithThroughputUnits(1) with { BlobWrite = new() { MeanMilliseconds = 1 } };
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = profile,
            Degree = 64,
            EventBytes = 100,
        };
        Assert.Equal(4_096, Some.Rate(settings), 60.0);
        Assert.Equal(2_048, Some.Rate(settings with { EventBytes = 1_024 }), 40.0);
        Assert.InRange(Some.Rate(settings with { Partitions = 4 }), 4_000, 4_160);
    }

    [Fact]
    public void Work_is_bounded_by_the_processors_however_much_waiting_overlaps()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = LatencyProfiles.ArticleSpread,
            Degree = 256,
            WorkMicroseconds = 10_000,
            Processors = 2,
        };
        Assert.Equal(200, Some.Rate(settings), 2.0);
        Assert.Equal(1_000 / (18.52 + 9.35 + 2.47 + 10), Some.Rate(settings with { Strategy = "baseline", Profile = Some.Constant() }), 0.1);
    }

    [Fact]
    public void A_loop_that_works_before_it_awaits_holds_its_thread_for_one_event_after_another()
    {
        var settings = new ModelSettings
        {
            Strategy = "whenall",
            Profile = Some.Constant(checkpoint: 0),
            Batch = 100,
            BlockMilliseconds = 5,
        };
        Assert.Equal(100_000 / (500 + 18.52), Some.Rate(settings), 0.5);
        Assert.Equal(100_000 / (500 + 18.52), Some.Rate(settings with { Strategy = "published", Processors = 200 }), 0.5);
    }

    [Fact]
    public void Times_are_longer_while_a_step_lasts()
    {
        var profile = LatencyProfiles.ArticleConstant with { Steps = [new TimeStep(0, 1e9, 2)] };
        var settings = new ModelSettings { Strategy = "baseline", Profile = LatencyProfiles.ArticleConstant };
        Assert.Equal(Some.Rate(settings) / 2, Some.Rate(settings with { Profile = profile }), 0.01);
    }

    [Fact]
    public void An_unknown_strategy_and_a_profile_without_delays_get_a_reason_and_no_prediction()
    {
        var none = new ModelSettings { Strategy = "pipelined", Profile = LatencyProfiles.None };
        Assert.Null(Predictor.GetPrediction(none));
        Assert.StartsWith("profile 'none' has no latency", Predictor.WhyNot(none), StringComparison.Ordinal);
        var own = none with { Strategy = "mine", Profile = LatencyProfiles.Article };
        Assert.Null(Predictor.GetPrediction(own));
        Assert.Equal("the model does not include strategy 'mine'", Predictor.WhyNot(own));
    }

    [Fact]
    public void A_very_small_quota_gets_a_reason_and_no_simulation()
    {
        var settings = new ModelSettings
        {
            Strategy = "pipelined",
            Profile = Some.Constant() with { ServiceBusQuota = new RateQuota { OperationsPerSecond = 0.001 } },
            Degree = 64,
        };
        Assert.Null(Predictor.GetPrediction(settings));
        Assert.Equal("the quotas of profile 'constant' are too small for a simulation", Predictor.WhyNot(settings));
    }

    private static Arbitrary<ModelSettings> Cases() =>
        (
            from name in Gen.Elements(Names)
            from degree in Gen.Choose(1, 64)
            from batch in Gen.Choose(1, 100)
            from serial in Gen.Choose(1, 50)
            from receive in Gen.Choose(1, 10)
            from keys in Gen.Choose(0, 100)
            from seed in Gen.Choose(1, 1_000)
            select new ModelSettings
            {
                Strategy = name,
                Profile = Some.Constant(receive: receive, serial: serial / 10.0),
                Degree = degree,
                Batch = batch,
                Prefetch = 0,
                Keys = keys,
                Events = 3_000,
                Seed = seed,
            }
        ).ToArbitrary();
}
