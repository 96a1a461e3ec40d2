using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Model;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class ModelChoiceTests
{
    private static readonly RunOptions Options = Reports.Of("outloop").Options;

    public static TheoryData<string> Profiles => [.. LatencyProfiles.Names.Where(static name => name != "none")];

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Names];

    [Fact]
    public void Predicts_what_the_form_was_made_for() => Assert.Equal(111.0, ModelChoice.GetPrediction(Options)!.EventsPerSecond, 0.1);

    [Theory]
    [MemberData(nameof(Profiles))]
    public void Every_strategy_has_a_prediction_on_every_profile_that_delays_anything(string profile) =>
        Assert.All(
            StrategyCatalog.Names,
            name =>
            {
                var prediction = ModelChoice.GetPrediction(On(profile, Reports.Of(name).Options));
                Assert.NotNull(prediction);
                Assert.InRange(prediction.EventsPerSecond, 1, 1e6);
                Assert.NotEmpty(prediction.Form);
            }
        );

    [Theory]
    [MemberData(nameof(Strategies))]
    public void The_rule_of_a_strategy_agrees_with_its_descriptor(string name)
    {
        var strategy = StrategyCatalog.Find(name);
        var rule = StrategyRule.Find(name);
        Assert.NotNull(rule);
        Assert.Equal(strategy.IsBarrier, rule.IsBarrier);
        Assert.Equal(strategy.TakesEventsInTurn, rule.Bound == EventConcurrency.One);
        Assert.Equal(strategy.Unsafe?.CheckpointFrequencyOption, rule.GathersBatches ? StrategyRule.CheckpointBatches : null);
        Assert.Equal(strategy.Unsafe?.LeastBatchOption, rule.GathersBatches ? StrategyRule.LeastBatch : null);
        Assert.Equal(rule.Discipline == Discipline.Groups, strategy.Options.Any(static option => option.Name == StrategyRule.Linger));
    }

    [Fact]
    public void The_model_has_rules_for_the_strategies_of_a_build_with_the_official_packages() =>
        Assert.All(StrategyCatalog.OfOfficialPackages, static name => Assert.NotNull(StrategyRule.Find(name)));

    /// <summary>The model has its limits from the documents, the processing from its own code.</summary>
    [Theory]
    [MemberData(nameof(Strategies))]
    public void Runs_as_far_ahead_as_the_processing_does(string name)
    {
        foreach (var degree in (int[])[1, 16, 64])
        {
            foreach (var (events, window) in ((int?, int?)[])[(null, null), (50, null), (null, 500), (2_000, 100)])
            {
                var options = Reports
                    .Of(name, degree: degree)
                    .Options.With(processing => processing with { Window = window, Checkpoints = CheckpointOptions.From(events, null) });
                var settings = ModelChoice.GetSettings(options)!;
                var rule = StrategyRule.Find(name)!;
                var limits = RunAhead.Of(settings, rule);

                Assert.Equal((options.Processing.Limits.Window, options.Processing.Limits.Replay), (limits.Window, limits.Replay));
                Assert.Equal((options.Processing.Limits.WindowMark, options.Processing.Limits.ReplayMark), (limits.WindowMark, limits.ReplayMark));
                Assert.Equal(ModelChoice.GetRule(options.CheckpointsInForce), settings.Checkpoints.For(rule.IsBarrier));
            }
        }
    }

    [Fact]
    public void Predicts_no_run_whose_rate_is_not_its_own()
    {
        Assert.Null(ModelChoice.GetPrediction(Options with { Load = Options.Load! with { Faults = "F17" } }));
        Assert.Null(ModelChoice.GetPrediction(Options with { Load = Options.Load! with { Rate = "100/s" } }));
    }

    [Fact]
    public void Predicts_nothing_without_a_profile_that_is_known_and_delays_anything()
    {
        Assert.Null(ModelChoice.GetPrediction(Options with { Load = null }));
        Assert.Null(ModelChoice.GetPrediction(On("none", Options)));
        Assert.Null(ModelChoice.GetPrediction(On("nonesuch", Options)));
        Assert.Null(ModelChoice.GetPrediction(On("no/such/file.json", Options)));
    }

    [Fact]
    public void Predicts_neither_a_strategy_of_somebodys_own_nor_keys_that_a_file_has()
    {
        Assert.Null(ModelChoice.GetPrediction(Options.With(static processing => processing with { Strategy = Reports.ContinuesAcrossBatches })));
        Assert.Null(ModelChoice.GetPrediction(Options with { Load = Options.Load! with { Input = "events.jsonl", KeyField = "plane" } }));
    }

    [Fact]
    public void Predicts_several_partitions_up_to_what_their_sender_carries()
    {
        Assert.InRange(ModelChoice.GetPrediction(WithPartitions(2))!.EventsPerSecond, 190, 223);
        Assert.InRange(ModelChoice.GetPrediction(WithPartitions(8))!.EventsPerSecond, 295, 302);

        RunOptions WithPartitions(int partitions) => Options with { Load = Options.Load! with { Partitions = partitions } };
    }

    [Fact]
    public void Predicts_work_beside_the_writes()
    {
        var works = Options.With(static processing => processing with { Strategy = StrategyCatalog.Find("baseline") }) with
        {
            Work = new HandlerWork(default, TimeSpan.FromMilliseconds(10)),
        };

        Assert.Equal(10_000 / (10 * (18.20 + 9.33 + 10) + 24.7 + 8), ModelChoice.GetPrediction(works)!.EventsPerSecond, 0.5);
    }

    [Fact]
    public void A_run_without_a_barrier_is_predicted_for_any_checkpoints_and_limits()
    {
        var pipelined = Reports.Of("pipelined").Options;

        Assert.Equal(301.2, ModelChoice.GetPrediction(pipelined)!.EventsPerSecond, 0.1);
        Assert.Equal(
            301.2,
            ModelChoice
                .GetPrediction(pipelined.With(static processing => processing with { Checkpoints = CheckpointOptions.From(100, null) }))!
                .EventsPerSecond,
            0.1
        );
        Assert.Equal("simulated", ModelChoice.GetPrediction(pipelined.With(static processing => processing with { Window = 31 }))!.Form);
        Assert.Equal(301.2, ModelChoice.GetPrediction(pipelined.With(static processing => processing with { ReplayLimit = 5000 }))!.EventsPerSecond, 0.1);
        Assert.InRange(
            ModelChoice.GetPrediction(Options.With(static processing => processing with { Checkpoints = CheckpointOptions.From(100, null) }))!.EventsPerSecond,
            120,
            190
        );
    }

    private static RunOptions On(string profile, RunOptions options) =>
        options.With(static processing => processing with { Prefetch = 300 }) with
        {
            Load = options.Load! with { Profile = profile },
        };
}
