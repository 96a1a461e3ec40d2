using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Load;

/// <summary>Measures the cost of a scrape: a registry with a thousand series like those of a consumer, in Prometheus' format.</summary>
internal static class ScrapeCommand
{
    private const int Partitions = 70;

    private static readonly Option<int> Scrapes = Options.Integer("--scrapes", "scrapes that are timed", 500, 10, 100_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures what a scrape of a thousand series costs, in this process.") { Scrapes };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var registry = new MetricRegistry();
                var series = Fill(registry);
                List<double> milliseconds = [];
                var (lines, bytes) = (0, 0L);

                // The first scrapes compile.
                for (var scrape = -100; scrape < parsed.GetValue(Scrapes); scrape++)
                {
                    var (began, allocated) = (clock.GetTimestamp(), GC.GetTotalAllocatedBytes());
                    var text = await registry.ScrapeAsync(cancellationToken);
                    if (scrape >= 0)
                    {
                        milliseconds.Add(clock.GetElapsedTime(began).TotalMilliseconds);
                        (lines, bytes) = (text.Span.Count((byte)'\n'), GC.GetTotalAllocatedBytes() - allocated);
                    }
                }

                var sorted = milliseconds.Order().ToList();
                await console.Output.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{series} series, {lines} lines: {sorted.Median():F3} ms a scrape, median of {sorted.Count} (lowest {sorted[0]:F3}, 95 % below {sorted[sorted.Count * 95 / 100]:F3}), {bytes:N0} bytes"
                    )
                );
                return 0;
            }
        );
        return root;
    }

    // Fourteen counters and gauges for each partition, and histograms without a partition, as in ConsumerMetrics.
    private static int Fill(MetricRegistry registry)
    {
        var series = 0;
        for (var partition = 0; partition < Partitions; partition++)
        {
            for (var family = 0; family < 14; family++)
            {
                (string, string)[] labels = [("strategy", "outloop"), ("partition", $"{partition}"), ("run", "outloop-d16-b10-e70bfb57")];
                if (family % 2 == 0)
                {
                    registry.AddCounter($"eventhub_counted_{family}_total", "Events counted.", labels).Inc(partition * 1000.0);
                }
                else
                {
                    registry.AddGauge($"eventhub_read_{family}_seconds", "Time now.", labels).Set(partition / 7.0);
                }

                series++;
            }
        }

        for (var step = 0; step < 20; step++)
        {
            var histogram = registry.AddHistogram(
                MetricNames.StepDurationSeconds,
                "One write.",
                HistogramBounds.Durations,
                ("strategy", "outloop"),
                ("run", "outloop-d16-b10-e70bfb57"),
                ("step", $"{step}")
            );
            for (var value = 0; value < 100; value++)
            {
                histogram.Observe(value / 50.0);
            }

            series++;
        }

        return series;
    }
}
