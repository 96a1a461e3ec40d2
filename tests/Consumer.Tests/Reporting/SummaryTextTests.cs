using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Reporting;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Reporting;

public sealed class SummaryTextTests
{
    [Fact]
    public void Says_what_decides_the_result_what_was_measured_and_how_it_was_judged()
    {
        using var output = new StringWriter();

        SummaryText.Write(Reports.Of("outloop"), output);

        Assert.Equal(
            """
            strategy    outloop, degree 16, batch 10 (occurred 50 x 10), prefetch 0
            run         run, 1 partition, profile article, checkpoint at each batch end
            events      600 of 600 complete in 6.00 s (100.0 events/s); measured 500 in 5.00 s after a warm-up of 100
            throughput  100.0 events/s, the model predicts 111.0 (90.1 %)
            stage           count   mean ms    p50 ms    p99 ms
            servicebus        500     10.00     10.00         -
            blob              500     10.00     10.00         -
            event             500     10.00     10.00         -
            checkpoint         50     25.00     25.00         -
            receive            50      8.00      8.00         -
            CPU         per event: consumer 200 us, emulator 300 us, sender not measured
            memory      2.0 KiB allocated per event, collections 3/2/1, paused 4.0 ms
            writes      0 retried, 0 blobs found in place
            verdict: clean (600 of 600 in the queue and in the container, 0 duplicates, 60 checkpoints never ahead)
            Next: --strategy=combined overlaps the two writes of an event as well; the model predicts 124 events/s.

            """,
            output.ToString()
        );
    }

    [Theory]
    [InlineData("none", null, "throughput  100.0 events/s, the model predicts 111.0 (90.1 %); emulator-bound without latency, not to be ranked")]
    [InlineData(
        "article",
        200,
        "throughput  100.0 events/s, the model predicts 111.0 (90.1 %); emulator-bound (the emulator's ceiling, 200, is 2.0 times that), not to be ranked"
    )]
    [InlineData("article", 20_000, "throughput  100.0 events/s, the model predicts 111.0 (90.1 %) (the emulator's ceiling, 20000, is 200.0 times that)")]
    public void Says_what_bound_the_rate_and_how_far_away_the_emulators_ceiling_is(string profile, int? ceiling, string expected)
    {
        var report = Reports.Of("outloop");
        report = report with { Options = report.Options with { Embedded = report.Options.Embedded! with { Profile = profile, EmulatorCeiling = ceiling } } };

        Assert.Contains(expected, LinesOf(report));
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
            "profile     missed: blobWrite 11.25 ms instead of 9.35; this machine is too busy to keep it",
            LinesOf(Reports.Of("outloop") with { Latencies = [kept, missed] })
        );
        Assert.DoesNotContain(LinesOf(Reports.Of("outloop") with { Latencies = [kept] }), line => line.StartsWith("profile", StringComparison.Ordinal));
    }

    private static string[] LinesOf(RunReport report)
    {
        using var output = new StringWriter();
        SummaryText.Write(report, output);
        return output.ToString().Split('\n');
    }
}
