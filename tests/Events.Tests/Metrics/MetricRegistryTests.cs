using System.Buffers;
using System.Diagnostics.Metrics;
using EventHubThroughput.Metrics;
using Xunit;

namespace EventHubThroughput.Events.Tests.Metrics;

public sealed class MetricRegistryTests
{
    [Fact]
    public void The_same_name_and_labels_give_the_same_series_in_any_order_of_labels()
    {
        using var registry = new MetricRegistry("test");

        var counter = registry.AddCounter("c_total", "C.", ("a", "1"), ("b", "2"));
        Assert.Same(counter, registry.AddCounter("c_total", "C.", ("b", "2"), ("a", "1")));
        Assert.NotSame(counter, registry.AddCounter("c_total", "C.", ("a", "2"), ("b", "1")));
        Assert.Single(registry.Families);
        Assert.Equal(2, registry.Families[0].Series.Count);
    }

    [Fact]
    public void What_would_make_a_family_unreadable_is_refused()
    {
        using var registry = new MetricRegistry("test");
        registry.AddCounter("c_total", "C.", ("a", "1"));
        registry.AddHistogram("h", "H.", [1, 2]);

        Assert.Throws<ArgumentException>(() => registry.AddGauge("c_total", "C.", ("a", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("c_total", "Other.", ("a", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("c_total", "C.", ("b", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddHistogram("h", "H.", [1, 3]));
        Assert.Throws<ArgumentException>(() => registry.AddHistogram("i", "I.", [2, 1]));
        Assert.Throws<ArgumentException>(() => registry.AddHistogram("i", "I.", [1], ("le", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("9", "C."));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("a\n", "C."));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("d", "D.", ("a-b", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("d", "D.", ("__a", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("d", "D.", ("a", "1"), ("a", "2")));
        Assert.Equal(2, registry.Families.Count);
    }

    [Fact]
    public void A_counter_never_falls()
    {
        using var registry = new MetricRegistry("test");
        var counter = registry.AddCounter("c_total", "C.");

        Assert.Throws<ArgumentOutOfRangeException>(() => counter.Add(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => counter.Add(-0.5));
        counter.Add(2);
        counter.Add(0.5);
        Assert.Equal(2.5, counter.Value);
    }

    [Fact]
    public async Task Nothing_is_lost_between_threads()
    {
        const int Threads = 4;
        const int Each = 100_000;
        using var registry = new MetricRegistry("test");
        var counter = registry.AddCounter("c_total", "C.");
        var gauge = registry.AddGauge("g", "G.");
        var histogram = registry.AddHistogram("h", "H.", [0.5]);

        await Task.WhenAll(
            Enumerable
                .Range(0, Threads)
                .Select(_ =>
                    Task.Run(
                        () =>
                        {
                            for (var i = 0; i < Each; i++)
                            {
                                counter.Add();
                                gauge.Add(0.25);
                                histogram.Record(i % 2);
                            }
                        },
                        TestContext.Current.CancellationToken
                    )
                )
        );

        Assert.Equal(Threads * Each, counter.Value);
        Assert.Equal(Threads * Each * 0.25, gauge.Value);
        Assert.Equal(Threads * Each, histogram.Count);
        Assert.Equal(Threads * Each / 2, histogram.Sum);
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        using var registry = new MetricRegistry("test");
        var counter = registry.AddCounter("c_total", "C.");
        var gauge = registry.AddGauge("g", "G.");
        var histogram = registry.AddHistogram("h", "H.", HistogramBounds.Durations, ("step", "x"));
        RecordMany(counter, gauge, histogram);

        var before = GC.GetAllocatedBytesForCurrentThread();
        RecordMany(counter, gauge, histogram);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void A_scrape_into_a_warm_buffer_allocates_nothing()
    {
        using var registry = new MetricRegistry("test");
        for (var partition = 0; partition < 100; partition++)
        {
            registry.AddHistogram("h", "H.", HistogramBounds.Durations, ("partition", $"{partition}")).Record(partition);
        }

        var buffer = new ArrayBufferWriter<byte>(1 << 20);
        registry.WriteText(buffer);
        buffer.ResetWrittenCount();

        var before = GC.GetAllocatedBytesForCurrentThread();
        registry.WriteText(buffer);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Listeners_of_the_meter_see_the_same_values()
    {
        using var registry = new MetricRegistry("EventHubThroughput.Tests.Listener");
        var seen = new Dictionary<string, double>(StringComparer.Ordinal);
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, owner) =>
        {
            if (instrument.Meter.Name == "EventHubThroughput.Tests.Listener")
            {
                owner.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => seen[$"{instrument.Name} {instrument.Unit} {tags[0].Value}"] = value);
        listener.Start();

        registry.AddCounter("eventhub_events_processed_total", "E.", ("strategy", "baseline")).Add(3);
        registry.AddCounter("eventhub_events_processed_total", "E.", ("strategy", "outloop")).Add(4);
        registry.AddGauge("process_resident_memory_bytes", "M.", ("host", "a")).Set(5);
        registry.AddHistogram("eventhub_step_duration_seconds", "S.", [1], ("step", "blob")).Record(0.5);
        listener.RecordObservableInstruments();

        Assert.Equal(3, seen["eventhub.events.processed  baseline"]);
        Assert.Equal(4, seen["eventhub.events.processed  outloop"]);
        Assert.Equal(5, seen["process.resident.memory By a"]);
        Assert.Equal(0.5, seen["eventhub.step.duration s blob"]);
    }

    [Fact]
    public void The_process_is_described()
    {
        using var registry = new MetricRegistry("test");
        ProcessMetrics.AddTo(registry);

        Assert.All(registry.Families, family => Assert.Contains(family.Name, MetricNames.All));
        Assert.All(registry.Families, family => Assert.True(family.Series[0].Value >= 0, family.Name));
        Assert.True(registry.Families.Single(family => family.Name == MetricNames.ProcessResidentMemoryBytes).Series[0].Value > 1_000_000);
    }

    private static void RecordMany(Counter counter, Gauge gauge, Histogram histogram)
    {
        for (var i = 0; i < 10_000; i++)
        {
            counter.Add();
            counter.Add(0.5);
            gauge.Set(i);
            gauge.Add(1);
            histogram.Record(i / 1000.0);
        }
    }
}
