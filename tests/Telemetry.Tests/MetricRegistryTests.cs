using System.Diagnostics;
using System.Globalization;
using EventHubThroughput.Testing;
using Prometheus;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class MetricRegistryTests
{
    private readonly MetricRegistry registry = new();

    [Fact]
    public void The_same_name_and_labels_give_the_same_series()
    {
        var counter = registry.AddCounter("c_total", "C.", ("a", "1"), ("b", "2"));

        Assert.Same(counter, registry.AddCounter("c_total", "C.", ("a", "1"), ("b", "2")));
        Assert.NotSame(counter, registry.AddCounter("c_total", "C.", ("a", "2"), ("b", "1")));
    }

    [Fact]
    public void An_addition_that_makes_a_family_unreadable_is_refused()
    {
        registry.AddCounter("c_total", "C.", ("a", "1"));

        Assert.Throws<InvalidOperationException>(() => registry.AddGauge("c_total", "C.", ("a", "1")));
        Assert.Throws<InvalidOperationException>(() => registry.AddCounter("d", "D.", ("a", "1"), ("a", "2")));
        Assert.Throws<ArgumentException>(() => registry.AddHistogram("i", "I.", [2, 1]));
        Assert.Throws<ArgumentException>(() => registry.AddHistogram("i", "I.", [1], ("le", "1")));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("9", "C."));
        Assert.Throws<ArgumentException>(() => registry.AddCounter("d", "D.", ("a-b", "1")));
    }

    [Fact]
    public void Recording_allocates_nothing_even_while_an_activity_is_current()
    {
        var counter = registry.AddCounter("c_total", "C.", ("strategy", "x"));
        var gauge = registry.AddGauge("g", "G.", ("strategy", "x"));
        var histogram = registry.AddHistogram("h", "H.", HistogramBounds.Durations, ("step", "x"));
        using var activity = new Activity("run").SetIdFormat(ActivityIdFormat.W3C).Start();
        RecordMany(counter, gauge, histogram);

        Assert.Equal(0, Allocations.GetMinimum(() => RecordMany(counter, gauge, histogram)));
    }

    [Fact]
    public async Task Nothing_is_served_that_was_not_added()
    {
        registry.AddCounter("c_total", "C.");

        Assert.Equal("# HELP c_total C.\n# TYPE c_total counter\nc_total 0\n", await MetricText.OfAsync(registry));
        Assert.Equal("", await MetricText.OfAsync(new MetricRegistry()));
    }

    [Fact]
    public async Task Callbacks_are_read_at_the_scrape_and_a_broken_one_spoils_only_itself()
    {
        var value = 1.0;
        var broken = false;
        double Read() => broken ? throw new InvalidOperationException() : value;
        registry.AddGaugeCallback("good", "Good.", () => value);
        registry.AddGaugeCallback("gauge", "Gauge.", Read);
        registry.AddCounterCallback("counter_total", "Counter.", Read);
        value = 2;
        Assert.Equal(["counter_total 2", "gauge 2", "good 2"], await SamplesAsync());

        value = 3;
        broken = true;
        Assert.Equal(["counter_total 2", "gauge NaN", "good 3"], await SamplesAsync());

        broken = false;
        Assert.Equal(["counter_total 3", "gauge 3", "good 3"], await SamplesAsync());
    }

    [Fact]
    public async Task Values_that_are_read_together_are_written_together_beside_any_other_scrape()
    {
        var value = 0;
        var first = registry.AddGauge("a", "A.");
        var filler = registry.AddHistogram("b", "B.", HistogramBounds.Durations);
        var last = registry.AddGauge("c", "C.");
        filler.Observe(1);
        registry.BeforeScrape(() =>
        {
            var now = Interlocked.Increment(ref value);
            first.Set(now);
            last.Set(now);
        });

        var scrapes = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(ScrapeManyAsync, TestContext.Current.CancellationToken)));

        Assert.All(scrapes.SelectMany(static scrape => scrape), text => Assert.Equal(GetValue(text, "a"), GetValue(text, "c")));

        async Task<List<string>> ScrapeManyAsync()
        {
            List<string> texts = [];
            for (var i = 0; i < 500; i++)
            {
                texts.Add(await MetricText.OfAsync(registry));
            }

            return texts;
        }

        static string GetValue(string text, string name) =>
            text.Split('\n').Single(line => line.StartsWith($"{name} ", StringComparison.Ordinal))[(name.Length + 1)..];
    }

    /// <summary>A scrape that is cancelled gives nothing, not a part.</summary>
    [Fact]
    public async Task A_scrape_is_whole_or_it_is_none()
    {
        registry.AddCounter("c_total", "C.");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => registry.ScrapeAsync(new CancellationToken(canceled: true)));
        Assert.Equal(["c_total 0"], await SamplesAsync());
    }

    [Fact]
    public async Task Scrapes_while_events_are_recorded_lose_none_and_agree_with_themselves()
    {
        const int Threads = 2;
        const int Each = 100_000;
        var counter = registry.AddCounter("c_total", "C.");
        var histogram = registry.AddHistogram("h", "H.", HistogramBounds.Durations);
        var recording = Task.WhenAll(
            Enumerable
                .Range(0, Threads)
                .Select(_ =>
                    Task.Run(
                        () =>
                        {
                            for (var i = 0; i < Each; i++)
                            {
                                counter.Inc();
                                histogram.Observe(i % 8);
                            }
                        },
                        TestContext.Current.CancellationToken
                    )
                )
        );

        string[] samples;
        bool over;
        do
        {
            over = recording.IsCompleted;
            samples = await SamplesAsync();
            Assert.Equal(ValueIn(samples, "h_bucket{le=\"+Inf\"}"), ValueIn(samples, "h_count"));
        } while (!over);

        await recording;
        Assert.Equal(Threads * Each, ValueIn(samples, "c_total"));
        Assert.Equal(Threads * Each, ValueIn(samples, "h_count"));
        Assert.Equal(Threads * Each * 3.5, ValueIn(samples, "h_sum"));
    }

    [Fact]
    public async Task The_process_is_described()
    {
        ProcessMetrics.AddTo(registry, typeof(MetricRegistryTests).Assembly, ("run", "r"));

        var samples = await SamplesAsync();
        Assert.Equal(
            MetricNames.OfProcess.Order(StringComparer.Ordinal),
            samples.Select(sample => sample.Split('{')[0]).Distinct().Order(StringComparer.Ordinal)
        );
        Assert.All(samples, sample => Assert.Contains("{run=\"r\"", sample, StringComparison.Ordinal));
        Assert.True(ValueIn(samples, $"{MetricNames.ProcessCpuSeconds}{{run=\"r\"}}") > 0);
        Assert.True(ValueIn(samples, $"{MetricNames.ProcessResidentMemoryBytes}{{run=\"r\"}}") > 1_000_000);
        Assert.Equal(GC.MaxGeneration + 1, samples.Count(static sample => sample.StartsWith(MetricNames.GcCollections, StringComparison.Ordinal)));
    }

    private static void RecordMany(Counter.Child counter, Gauge.Child gauge, Histogram.Child histogram)
    {
        for (var i = 0; i < 10_000; i++)
        {
            counter.Inc();
            gauge.Set(i);
            histogram.Observe(i / 1000.0);
        }
    }

    private static double ValueIn(string[] samples, string series)
    {
        var line = Assert.Single(samples, sample => sample.StartsWith(series + " ", StringComparison.Ordinal));
        return double.Parse(line[(series.Length + 1)..], CultureInfo.InvariantCulture);
    }

    private async Task<string[]> SamplesAsync() =>
        [
            .. (await MetricText.OfAsync(registry))
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Where(line => !line.StartsWith('#'))
                .Order(StringComparer.Ordinal),
        ];
}
