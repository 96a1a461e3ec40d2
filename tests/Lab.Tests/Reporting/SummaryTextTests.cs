using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class SummaryTextTests
{
    [Fact]
    public void The_summary_has_the_options_the_figures_and_the_verdict_of_the_run()
    {
        using var output = new StringWriter();

        SummaryText.Write(Reports.Of("outloop"), output);

        Assert.Equal(
            """
            strategy    outloop, degree 16 (reached 10), batch 10 (occurred 50 x 10), prefetch 0
            run         run, 1 partition, profile article, checkpoint at each batch end
            events      600 of 600 complete in 6.00 s, measured 500 in 5.00 s after a warm-up of 100
            throughput  100.0 events/s, the model predicts 111.0 (90.1 %)
            stage           count   mean ms    p50 ms    p90 ms    p99 ms
            servicebus        500     10.00     10.00     10.00         -
            blob              500     10.00     10.00     10.00         -
            event             500     10.00     10.00     10.00         -
            checkpoint         50     25.00     25.00         -         -
            receive            50      8.00      8.00         -         -
                        -: too few samples, fewer than 10 beyond it
            CPU         per event, start-up included: consumer 200 us, emulator 300 us
            memory      2.0 KiB allocated per event, collections 3/2/1, paused 4.0 ms
            writes      0 retried, 0 blobs existed already
            verdict: clean (600 of 600 in the queue and in the container, 0 duplicates, 60 checkpoints never ahead)
            Next: --strategy=batched sends the messages of several events in one operation. The model predicts 1250 events/s.

            """,
            output.ToString()
        );
    }

    [Fact]
    public void The_summary_has_the_verdict_of_the_topic_subscription_and_its_exit_code()
    {
        var readBack = new VerdictReport(null, "verdict: failed (1 lost)", ExitCode.VerificationFailed);
        var report = Reports.Of("outloop") with { ReadBack = readBack };

        Assert.Equal(ExitCode.VerificationFailed, report.Code);
        Assert.Contains("read back   subscription of the topic: verdict: failed (1 lost)", GetLines(report));
    }

    [Fact]
    public void The_summary_separates_the_tail_of_several_partitions_from_the_rate()
    {
        var report = Reports.Of("outloop");
        report = report with { Figures = report.Figures with { Completed = 640, Tail = new MeasuredRate(40, TimeSpan.FromSeconds(1.5)) } };

        Assert.Contains(
            "events      640 of 600 complete in 6.00 s, measured 500 in 5.00 s after a warm-up of 100, then 40 in 1.50 s after a partition was empty",
            GetLines(report)
        );
        Assert.Contains("throughput  100.0 events/s, the model predicts 111.0 (90.1 %)", GetLines(report));
    }

    [Fact]
    public void The_summary_gives_the_reason_where_a_partition_ran_dry_in_the_warm_up() =>
        Assert.Contains(
            "throughput  not measured, because a partition was empty during the warm-up",
            GetLines(Reports.Of("outloop") with { Figures = Reports.Unmeasured with { Tail = new MeasuredRate(5, TimeSpan.FromSeconds(1)) } })
        );

    [Theory]
    [InlineData("none", null, "throughput  100.0 events/s, the model predicts 111.0 (90.1 %), emulator-bound without latency, not ranked")]
    [InlineData(
        "article",
        200,
        "throughput  100.0 events/s, the model predicts 111.0 (90.1 %), emulator-bound (the emulator's ceiling, 200, is 2.0 times that), not ranked"
    )]
    [InlineData("article", 20_000, "throughput  100.0 events/s, the model predicts 111.0 (90.1 %) (the emulator's ceiling, 20000, is 200.0 times that)")]
    public void The_summary_states_the_bound_of_the_rate_and_the_distance_to_the_ceiling_of_the_emulator(string profile, int? ceiling, string expected)
    {
        var report = Reports.Of("outloop");
        report = report with { Options = report.Options with { Load = report.Options.Load! with { Profile = profile, EmulatorCeiling = ceiling } } };

        Assert.Contains(expected, GetLines(report));
    }

    [Fact]
    public void Names_the_latencies_that_the_machine_did_not_keep_and_no_others()
    {
        var kept = new InjectedLatency
        {
            Operation = "messageSend",
            AskedMeanMs = 18.2,
            Count = 600,
            MeanMs = 18.5,
        };
        var missed = kept with { Operation = "blobWrite", AskedMeanMs = 9.35, MeanMs = 11.25 };

        Assert.Contains(
            "profile     missed: blobWrite 11.25 ms instead of 9.35. The rate is not that of the profile",
            GetLines(Reports.Of("outloop") with { Latencies = [kept, missed] })
        );
        Assert.DoesNotContain(GetLines(Reports.Of("outloop") with { Latencies = [kept] }), line => line.StartsWith("profile", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1, 0, "1 partition, 1 key, profile")]
    [InlineData(64, 0, "1 partition, 64 keys, profile")]
    [InlineData(1000, 1.2, "1 partition, 1000 keys (Zipf 1.2), profile")]
    public void Names_the_keys_of_a_load_that_has_them(int keys, double skew, string expected)
    {
        var report = Reports.Of("outloop");
        var load = report.Options.Load! with { Keys = keys, KeySkew = skew };

        Assert.Contains(GetLines(report with { Options = report.Options with { Load = load } }), line => line.Contains(expected, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0, 0, "prefetch 0")]
    [InlineData(250, 0, "prefetch 0, computes 250 us an event")]
    [InlineData(250, 3, "prefetch 0, computes 250 us an event, holds a thread 3 ms an event")]
    public void Names_the_work_of_a_handler_that_has_some(int cpu, int block, string expected)
    {
        var report = Reports.Of("outloop");
        var work = new HandlerWork(TimeSpan.FromMicroseconds(cpu), TimeSpan.FromMilliseconds(block));

        Assert.Contains(GetLines(report with { Options = report.Options with { Work = work } }), line => line.EndsWith(expected, StringComparison.Ordinal));
    }

    [Fact]
    public void Names_one_rate_only() =>
        Assert.Single(GetLines(Reports.Of("outloop") with { Prediction = null }), line => line.Contains("events/s", StringComparison.Ordinal));

    [Theory]
    [InlineData("baseline")]
    [InlineData("inloop")]
    public void A_sequential_strategy_has_degree_1_for_any_option(string strategy)
    {
        var report = Reports.Of(strategy, degree: 16, reached: 1);

        Assert.Equal(
            $"strategy    {strategy}, degree 1 because it takes events in turn (reached 1), batch 10 (occurred 50 x 10), prefetch 0",
            GetLines(report)[0]
        );
    }

    [Fact]
    public void The_summary_omits_the_degree_that_was_reached_where_it_was_not_measured()
    {
        var report = Reports.Of("outloop") with { Figures = Reports.Unmeasured };

        var lines = GetLines(report);
        Assert.Equal("strategy    outloop, degree 16, batch 10 (none measured), prefetch 0", lines[0]);
        Assert.Contains("throughput  not measured", lines);
    }

    [Theory]
    [InlineData(null, null, "checkpoint every 1000 events or 5s")]
    [InlineData(50, null, "checkpoint every 50 events or 5s")]
    public void A_strategy_without_a_barrier_has_no_checkpoint_at_a_batch_end(int? events, int? seconds, string expected)
    {
        var report = Reports.Of(Reports.ContinuesAcrossBatches, CheckpointOptions.From(events, seconds is { } given ? TimeSpan.FromSeconds(given) : null));

        Assert.EndsWith(expected, GetLines(report)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Names_the_faults_and_compares_with_no_model()
    {
        var report = Reports.Of("outloop");
        var options = report.Options with { Load = report.Options.Load! with { Faults = "F14,F17" } };
        report = report with { Options = options, Prediction = ModelChoice.GetPrediction(options) };

        var lines = GetLines(report);
        Assert.Contains("run         run, 1 partition, profile article, faults F14,F17, checkpoint at each batch end", lines);
        Assert.Contains("throughput  100.0 events/s", lines);
    }

    [Fact]
    public void The_summary_states_the_processes_that_the_processor_times_cover() =>
        Assert.Contains(
            "CPU         per event: consumer 200 us, emulator 300 us, sender with its start 0.26 s",
            GetLines(
                Reports.Of("outloop") with
                {
                    Figures = Reports.Figures(10) with { Sender = new ProcessUsage(TimeSpan.FromMilliseconds(260), 0), Measured = TimeSpan.FromSeconds(20) },
                }
            )
        );

    [Fact]
    public void The_summary_states_how_much_of_a_write_was_waiting_for_its_turn()
    {
        // The stage's mean is 10 ms.
        var send = new InjectedLatency
        {
            Operation = "messageSend",
            AskedMeanMs = 6,
            AskedSerialMs = 3.32,
            Count = 600,
            MeanMs = 6.05,
        };
        var upload = new InjectedLatency
        {
            Operation = "blobWrite",
            AskedMeanMs = 9.33,
            AskedSerialMs = 0.65,
            Count = 600,
            MeanMs = 9.4,
        };

        Assert.Contains(
            "waiting     servicebus waits about 4.0 of its 10.0 ms. The profile has 6.00 ms, of which 3.32 ms are serial",
            GetLines(Reports.Of("outloop") with { Latencies = [send, upload] })
        );
        Assert.DoesNotContain(GetLines(Reports.Of("outloop") with { Latencies = [upload] }), line => line.StartsWith("waiting", StringComparison.Ordinal));
    }

    private static string[] GetLines(RunReport report)
    {
        using var output = new StringWriter();
        SummaryText.Write(report, output);
        return output.ToString().Split('\n');
    }
}
