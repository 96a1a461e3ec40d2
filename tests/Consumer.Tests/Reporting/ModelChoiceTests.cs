using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Checkpointing;
using EventHubThroughput.Processing.Tracking;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Reporting;

public sealed class ModelChoiceTests
{
    private static readonly ConsumerOptions Options = Reports.Of("outloop").Options;

    [Fact]
    public void Predicts_what_the_form_was_made_for() => Assert.NotNull(ModelChoice.PredictionOf(Options));

    [Fact]
    public void Predicts_no_run_with_faults() => Assert.Null(ModelChoice.PredictionOf(Options with { Embedded = Options.Embedded! with { Faults = "F17" } }));

    [Fact]
    public void Predicts_no_run_on_another_profile_or_with_more_partitions()
    {
        Assert.Null(ModelChoice.PredictionOf(Options with { Embedded = Options.Embedded! with { Profile = "none" } }));
        Assert.Null(ModelChoice.PredictionOf(Options with { Embedded = Options.Embedded! with { Partitions = 2 } }));
        Assert.Null(ModelChoice.PredictionOf(Options with { Embedded = null }));
    }

    [Fact]
    public void Predicts_no_run_without_checkpoints_at_batch_ends()
    {
        Assert.Null(ModelChoice.PredictionOf(Options with { Checkpoints = CheckpointOptions.From(100, null) }));
        Assert.Null(ModelChoice.PredictionOf(Options with { Strategy = Options.Strategy with { IsBarrier = false } }));
    }

    [Fact]
    public void Predicts_a_run_without_a_barrier_whatever_its_checkpoints_unless_a_limit_holds_it_below_its_degree()
    {
        var pipelined = Reports.Of("pipelined").Options;

        Assert.Equal(301.2, ModelChoice.PredictionOf(pipelined)!.EventsPerSecond, 0.1);
        Assert.Equal(301.2, ModelChoice.PredictionOf(pipelined with { Checkpoints = CheckpointOptions.From(100, null) })!.EventsPerSecond, 0.1);
        Assert.NotNull(ModelChoice.PredictionOf(pipelined with { Window = 32 }));
        Assert.Null(ModelChoice.PredictionOf(pipelined with { Window = 31 }));
        Assert.Null(ModelChoice.PredictionOf(pipelined with { ReplayLimit = 5000 }));
    }
}
