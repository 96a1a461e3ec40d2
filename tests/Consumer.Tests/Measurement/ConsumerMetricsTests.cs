using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Metrics;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Measurement;

public sealed class ConsumerMetricsTests : IDisposable
{
    private readonly PumpBench bench = new();

    [Fact]
    public void Exports_every_counter_at_zero_before_the_first_event()
    {
        bench.Metrics.ForPartition("0");

        var text = bench.Scrape();
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
        await bench.Open("combined").ProcessAsync(Some.Batch(3), TestContext.Current.CancellationToken);

        var text = bench.Scrape();
        var missing = MetricNames.All.Except(PumpBench.ProcessNames).Where(name => !text.Contains($"# TYPE {name} ", StringComparison.Ordinal));
        Assert.Empty(missing);
        Assert.Contains("processed_messagecounter{strategy=\"x\",partition=\"0\",run=\"run\"} 3\n", text, StringComparison.Ordinal);
        Assert.Contains("eventhub_step_duration_seconds_count{strategy=\"x\",run=\"run\",step=\"blob\"} 3\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Goes_on_with_the_same_series_when_a_partition_is_taken_again()
    {
        await bench.Open("baseline").ProcessAsync(Some.Batch(3), TestContext.Current.CancellationToken);
        await bench.Open("baseline").ProcessAsync(Some.Batch(2, first: 3), TestContext.Current.CancellationToken);

        Assert.Contains("eventhub_events_processed_total{strategy=\"x\",partition=\"0\",run=\"run\"} 5\n", bench.Scrape(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Measures_batches_and_the_waits_between_them()
    {
        var pump = bench.Open("baseline");
        await pump.ProcessAsync(Some.Batch(3), TestContext.Current.CancellationToken);
        bench.Clock.Advance(TimeSpan.FromSeconds(2));
        await pump.ProcessAsync(Some.Batch(2, first: 3), TestContext.Current.CancellationToken);

        Assert.Equal(new Dictionary<int, long> { [3] = 1, [2] = 1 }, bench.Figures.Section.BatchSizes);
        Assert.Contains("eventhub_step_duration_seconds_sum{strategy=\"x\",run=\"run\",step=\"receive\"} 2\n", bench.Scrape(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Watches_the_newest_ownership_of_a_partition()
    {
        bench.Open("baseline");
        bench.Blob.HangOn(0);
        var processing = bench.Open("baseline").ProcessAsync(Some.Batch(4), TestContext.Current.CancellationToken);

        Assert.Contains("eventhub_events_in_flight{strategy=\"x\",partition=\"0\",run=\"run\"} 1\n", bench.Scrape(), StringComparison.Ordinal);
        Assert.Contains("eventhub_watermark_gap_events{strategy=\"x\",partition=\"0\",run=\"run\"} 4\n", bench.Scrape(), StringComparison.Ordinal);

        await bench.Stop.CutAsync();
        await processing;
    }

    public void Dispose() => bench.Dispose();
}
