using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class NextStepTests
{
    [Theory]
    [InlineData(
        "baseline",
        10,
        "Next: --strategy=inloop overlaps the writes of an event, in the same order. The model predicts 47 events/s. Without the order of the partition, --strategy=batched is predicted to reach 1250 events/s."
    )]
    [InlineData("inloop", 10, "Next: Without the order of the partition, --strategy=batched is predicted to reach 1250 events/s.")]
    [InlineData("outloop", 10, "Next: --strategy=batched sends the messages of several events in one operation. The model predicts 1250 events/s.")]
    [InlineData("combined", 10, "Next: --strategy=batched sends the messages of several events in one operation. The model predicts 1250 events/s.")]
    [InlineData("foreachasync", 100, "Next: --strategy=batched sends the messages of several events in one operation. The model predicts 1538 events/s.")]
    [InlineData("pipelined", 10, "Next: --strategy=batched sends the messages of several events in one operation. The model predicts 1250 events/s.")]
    public void Names_the_best_strategy_of_the_same_order_and_what_giving_it_up_brings(string strategy, int batch, string expected) =>
        Assert.Equal(expected, NextStep.Of(Reports.Of(strategy, batch)));

    [Theory]
    [InlineData("whenall", "--strategy=combined takes events concurrently")]
    [InlineData("published", "--strategy=combined takes events concurrently")]
    [InlineData("functions", "--strategy=baseline takes events in turn")]
    public void Leads_away_from_what_loses_events(string strategy, string instead) =>
        Assert.Equal(
            $"Next: no write failed, so no event was lost. {instead} too, and keeps events whose writes fail.",
            NextStep.Of(Reports.Of(strategy) with { Prediction = null })
        );

    [Theory]
    [InlineData("combined", "Next: --strategy=keyed keeps the order of each key, which combined does not, and overlaps events of different keys over batches.")]
    [InlineData(
        "pipelined",
        "Next: --strategy=keyed keeps the order of each key, which pipelined does not, and overlaps events of different keys over batches."
    )]
    public void Names_keyed_where_events_have_keys_whose_order_is_not_kept(string strategy, string expected)
    {
        var report = Reports.Of(strategy);

        Assert.Equal(expected, NextStep.Of(report with { Figures = report.Figures with { MeanKeysInFlight = 7 } }));
    }

    [Theory]
    [InlineData("keyed")]
    [InlineData("baseline")]
    public void Does_not_name_it_where_their_order_is_kept(string strategy)
    {
        var report = Reports.Of(strategy) with { Prediction = null };

        Assert.DoesNotContain(
            "--strategy=keyed",
            NextStep.Of(report with { Figures = report.Figures with { MeanKeysInFlight = 7 } }),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Names_what_is_left_to_wait_for_where_nothing_is_gained_any_more() =>
        Assert.Equal(
            "Next: reading and blobs are the remaining waits on this profile. --profile=none shows the limit of this machine without latency.",
            NextStep.Of(Reports.Of("batched", degree: 64))
        );

    [Fact]
    public void Doubles_the_degree_while_the_model_gains_by_it() =>
        Assert.Equal("Next: --degree=8 allows more events in flight. The model predicts 857 events/s.", NextStep.Of(Reports.Of("batched", degree: 4)));

    [Fact]
    public void Predicts_nothing_where_there_is_no_model() =>
        Assert.Equal(
            "Next: --strategy=inloop overlaps the writes of an event, in the same order. Without the order of the partition, --strategy=pipelined overlaps more.",
            NextStep.Of(Reports.Of("baseline") with { Prediction = null })
        );

    [Fact]
    public void Names_the_input_when_batches_are_not_full()
    {
        var report = Reports.Of("combined") with { Figures = Reports.Figures(4) };

        Assert.StartsWith("Next: batches held 4.0 of 10 events on average", NextStep.Of(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_a_measured_part_that_began_after_the_last_batch()
    {
        var report = Reports.Of("pipelined") with { Figures = Reports.Figures(0) };

        Assert.Equal("Next: the measured part began after the last batch was handed over. More --events make it longer.", NextStep.Of(report));
    }

    [Fact]
    public void Reads_no_speed_from_a_failed_verdict()
    {
        var failed = new Verdict
        {
            Outcome = VerdictOutcome.Fail,
            Charges = [new Charge("lost", 1, "0/41")],
            NotJudged = [],
        };
        var report = Reports.Of("baseline") with { VerdictReport = new VerdictReport(failed, failed.Summary, 3) };

        Assert.StartsWith("Next: the speed of a run with a failed verdict does not count", NextStep.Of(report), StringComparison.Ordinal);
        Assert.Equal(3, report.Code);
    }

    [Fact]
    public void At_degree_1_only_the_writes_of_an_event_can_overlap() =>
        Assert.StartsWith(
            "Next: --strategy=inloop overlaps the writes of an event, in the same order. The model predicts 47 events/s. Without the order of the partition, ",
            NextStep.Of(Reports.Of("baseline", degree: 1)),
            StringComparison.Ordinal
        );

    [Fact]
    public void A_handler_alone_has_no_writes_to_overlap()
    {
        var report = Reports.Of("baseline") with { Prediction = null };

        Assert.Equal(
            "Next: Without the order of the partition, --strategy=pipelined overlaps more.",
            NextStep.Of(report with { Options = report.Options with { Sinks = [report.Options.Sinks[0]] } })
        );
    }

    [Fact]
    public void A_strategy_without_a_barrier_gets_no_advice_of_fewer_batch_ends() =>
        Assert.Equal("Next: --degree=32 allows more events in flight.", NextStep.Of(Reports.Of(Reports.ContinuesAcrossBatches)));

    [Fact]
    public void Advice_after_shards_is_keys() =>
        Assert.Equal(
            "Next: --strategy=keyed overlaps events of different keys across batches, in the same order. Without the order of keys, --strategy=pipelined overlaps more.",
            NextStep.Of(Reports.Of("keyed-shards") with { Prediction = null })
        );

    [Fact]
    public void Compares_a_run_with_faults_to_nothing()
    {
        var report = Reports.Of("combined");
        report = report with { Options = report.Options with { Load = report.Options.Load! with { Faults = "F17" } } };

        Assert.Equal("Next: without --faults F17 the same run shows what they cost.", NextStep.Of(report));
    }

    [Fact]
    public void Blames_nothing_for_a_run_that_was_too_short_to_measure() =>
        Assert.Equal(
            "Next: no event was measured, because the run ended with its warm-up. More --events make it longer.",
            NextStep.Of(Reports.Of("combined") with { Figures = Reports.Unmeasured })
        );

    [Theory]
    [InlineData(true, "Next: every event became a dead letter. The reasons are stored with them.")]
    [InlineData(false, "Next: the hub had no events. Send events first, or follow the hub with --follow.")]
    public void An_empty_hub_is_distinguished_from_one_that_held_dead_letters_only(bool any, string expected)
    {
        var report = WithoutLoad(Reports.Of("combined")) with
        {
            Figures = Reports.Unmeasured with { Completed = 0, DeadLettered = any ? 600 : 0 },
            Backlog = any ? 600 : 0,
        };

        Assert.Equal(expected, NextStep.Of(report));
    }

    [Fact]
    public void Names_keep_only_where_it_is_taken_and_not_given()
    {
        var failed = new Verdict
        {
            Outcome = VerdictOutcome.Fail,
            Charges = [new Charge("lost", 1, "0/41")],
            NotJudged = [],
        };
        var report = Reports.Of("baseline") with { VerdictReport = new VerdictReport(failed, failed.Summary, 3) };
        var kept = report with { Options = report.Options with { Load = report.Options.Load! with { Keep = "kept" } } };

        Assert.Contains("--keep DIR", NextStep.Of(report), StringComparison.Ordinal);
        Assert.DoesNotContain("--keep", NextStep.Of(kept), StringComparison.Ordinal);
        Assert.DoesNotContain("--keep", NextStep.Of(WithoutLoad(report)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "Next: start it again: the checkpoints were lost with this run's emulator, so it starts from the beginning.")]
    [InlineData(false, "Next: start it again with the same settings: it continues from the last checkpoint.")]
    public void A_stopped_embedded_run_gets_no_promise_to_continue(bool embedded, string expected)
    {
        var report = Reports.Of("baseline") with { End = ProcessingEnd.Stopped };

        Assert.Equal(expected, NextStep.Of(embedded ? report : WithoutLoad(report)));
    }

    [Theory]
    [InlineData(ProcessingFaultKind.Poison)]
    [InlineData(ProcessingFaultKind.DrainLimit)]
    public void A_failed_embedded_run_gets_no_promise_to_continue(ProcessingFaultKind kind)
    {
        var report = Reports.Of("baseline") with { End = ProcessingEnd.Faulted, Faults = [new ProcessingFault(kind, "x")] };

        Assert.DoesNotContain("continues from", NextStep.Of(report), StringComparison.Ordinal);
        Assert.Contains("continues from the last checkpoint", NextStep.Of(WithoutLoad(report)), StringComparison.Ordinal);
    }

    [Fact]
    public void An_ended_run_is_announced_to_continue_from_its_checkpoint()
    {
        var report = WithoutLoad(Reports.Of("baseline")) with
        {
            End = ProcessingEnd.Faulted,
            Faults = [new ProcessingFault(ProcessingFaultKind.Poison, "poison"), new ProcessingFault(ProcessingFaultKind.DrainLimit, "drain")],
        };

        Assert.Contains("it continues from the last checkpoint", NextStep.Of(report), StringComparison.Ordinal);
        Assert.Equal(7, report.Code);
    }

    private static RunReport WithoutLoad(RunReport report) => report with { Options = report.Options with { Load = null } };
}
