using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class ConsumerMetricsTests : IDisposable
{
    private readonly MeasuredBench bench = new();

    [Fact]
    public async Task Exports_every_counter_at_zero_before_the_first_event()
    {
        bench.Metrics.ForPartition("0");

        var text = await bench.ScrapeAsync();
        Assert.Contains("processed_messagecounter{strategy=\"x\",partition=\"0\",run=\"run\"} 0\n", text, StringComparison.Ordinal);
        Assert.Contains("eventhub_events_processed_total{strategy=\"x\",partition=\"0\",run=\"run\"} 0\n", text, StringComparison.Ordinal);
        Assert.Contains("eventhub_event_errors_total{strategy=\"x\",run=\"run\",step=\"servicebus\",outcome=\"retried\"} 0\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exports_all_the_names_that_dashboards_may_use()
    {
        bench.Metrics.WatchRedelivered(() => 0);
        bench.Metrics.WatchBlocked(() => 0);
        bench.Metrics.SetVerdict("clean");
        await bench.Open("combined").ProcessAsync(Some.Batch(3).Events, TestContext.Current.CancellationToken);

        var text = await bench.ScrapeAsync();
        var missing = MetricNames.All.Except(MetricNames.OfProcess).Where(name => !text.Contains($"# TYPE {name} ", StringComparison.Ordinal));
        Assert.Empty(missing);
        Assert.Contains("processed_messagecounter{strategy=\"x\",partition=\"0\",run=\"run\"} 3\n", text, StringComparison.Ordinal);
        Assert.Contains("eventhub_step_duration_seconds_count{strategy=\"x\",run=\"run\",step=\"blob\"} 3\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exports_the_two_numbers_of_the_runs_rate()
    {
        for (var sequence = 0; sequence < 4; sequence++)
        {
            bench.ServiceBus.On(sequence, token => Task.Delay(TimeSpan.FromSeconds(1), bench.Clock, token));
        }

        await bench.RunAsync(
            bench.Open("baseline").ProcessAsync(Some.Batch(4).Events, TestContext.Current.CancellationToken),
            TestContext.Current.CancellationToken
        );
        var figures = bench.Figures;
        bench.Clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(1, figures.EventsPerSecond);
        Assert.Contains("eventhub_measured_events{strategy=\"x\",run=\"run\"} 4\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
        Assert.Contains("eventhub_measured_seconds{strategy=\"x\",run=\"run\"} 4\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exports_the_degree_that_a_strategy_has_found_and_keeps_it_over_time()
    {
        const string Gauge = "eventhub_degree_in_force{strategy=\"x\",partition=\"0\",run=\"run\"}";
        await bench.Open("combined").ProcessAsync(Some.Batch(3).Events, TestContext.Current.CancellationToken);
        Assert.Empty(bench.Figures.Degrees);
        Assert.DoesNotContain($"{Gauge} 4\n", await bench.ScrapeAsync(), StringComparison.Ordinal);

        // It begins with 4.
        await bench.Open("adaptive").ProcessAsync(Some.Batch(3, first: 3).Events, TestContext.Current.CancellationToken);

        Assert.Contains($"{Gauge} 4\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
        Assert.Equal(("0", 4), bench.Figures.Degrees.Select(static change => (change.Partition, change.Degree)).First());
    }

    [Fact]
    public async Task The_figures_have_the_degree_that_was_reached()
    {
        await bench.Open("baseline").ProcessAsync(Some.Batch(4).Events, TestContext.Current.CancellationToken);
        Assert.Equal(1, bench.Figures.Section.DegreeReached);

        // None is stored before all four are begun.
        var begun = 0;
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        for (var sequence = 4; sequence < 8; sequence++)
        {
            bench.ServiceBus.On(
                sequence,
                _ =>
                {
                    if (Interlocked.Increment(ref begun) == 4)
                    {
                        all.SetResult();
                    }

                    return all.Task;
                }
            );
        }

        await bench.Open("combined").ProcessAsync(Some.Batch(4, first: 4).Events, TestContext.Current.CancellationToken);
        Assert.Equal(4, bench.Figures.Section.DegreeReached);
    }

    [Fact]
    public async Task Series_continue_when_a_partition_is_claimed_again()
    {
        await bench.Open("baseline").ProcessAsync(Some.Batch(3).Events, TestContext.Current.CancellationToken);
        await bench.Open("baseline").ProcessAsync(Some.Batch(2, first: 3).Events, TestContext.Current.CancellationToken);

        Assert.Contains("eventhub_events_processed_total{strategy=\"x\",partition=\"0\",run=\"run\"} 5\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Measures_batches_and_the_waits_between_them()
    {
        var pump = bench.Open("baseline");
        await pump.ProcessAsync(Some.Batch(3).Events, TestContext.Current.CancellationToken);
        bench.Clock.Advance(TimeSpan.FromSeconds(2));
        await pump.ProcessAsync(Some.Batch(2, first: 3).Events, TestContext.Current.CancellationToken);

        Assert.Equal(new Dictionary<int, long> { [3] = 1, [2] = 1 }, bench.Figures.Section.BatchSizes);
        Assert.Contains(
            "eventhub_step_duration_seconds_sum{strategy=\"x\",run=\"run\",step=\"receive\"} 2\n",
            await bench.ScrapeAsync(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Watches_the_newest_ownership_of_a_partition()
    {
        bench.Open("baseline");
        bench.Blob.HangOn(0);
        var processing = bench.Open("baseline").ProcessAsync(Some.Batch(4).Events, TestContext.Current.CancellationToken);

        Assert.Contains("eventhub_events_in_flight{strategy=\"x\",partition=\"0\",run=\"run\"} 1\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
        Assert.Contains("eventhub_watermark_gap_events{strategy=\"x\",partition=\"0\",run=\"run\"} 4\n", await bench.ScrapeAsync(), StringComparison.Ordinal);

        await bench.Stop.CutAsync();
        await processing;
    }

    [Fact]
    public async Task The_metrics_have_the_options_of_the_run_and_its_owned_partitions()
    {
        const string Owned = "eventhub_partition_owned{strategy=\"x\",partition=\"0\",run=\"run\"}";
        bench.Metrics.ForPartition("0");
        Assert.Contains($"{Owned} 0\n", await bench.ScrapeAsync(), StringComparison.Ordinal);
        bench.Open("baseline");
        var text = await bench.ScrapeAsync();

        Assert.Contains($"{Owned} 1\n", text, StringComparison.Ordinal);
        Assert.Contains(
            "eventhub_run_info{run=\"run\",strategy=\"x\",clients=\"official\",degree=\"16\",batch=\"10\",partitions=\"1\",profile=\"service\",window=\"10\",prefetch=\"300\",version=\"1\"} 1\n",
            text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Recording_an_event_allocates_nothing()
    {
        var series = bench.Metrics.ForPartition("0");
        Record();

        Assert.Equal(0, Allocations.GetMinimum(Record));

        void Record()
        {
            for (var i = 0; i < 1_000; i++)
            {
                var elapsed = TimeSpan.FromMilliseconds(i);
                bench.Metrics.Record(Stage.Event, elapsed);
                bench.Metrics.Record(Stage.Receive, elapsed);
                series.Total.Set(i);
                series.OutOfOrder.Inc();
                series.LegacyProcessed.Inc();
                series.Processed.Inc();
            }
        }
    }

    public void Dispose() => bench.Dispose();
}
