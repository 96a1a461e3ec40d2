using System.Globalization;
using System.Text;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class TextFormatTests
{
    private readonly MetricRegistry registry = new();

    [Fact]
    public async Task Each_family_is_contiguous_with_help_and_type_once()
    {
        var first = registry.AddCounter("events_total", "Events.", ("strategy", "baseline"), ("partition", "0"));
        registry.AddGauge("in_flight", "In flight.").Set(2.5);
        var second = registry.AddCounter("events_total", "Events.", ("strategy", "outloop"), ("partition", "0"));
        first.Inc(3);
        second.Inc(1_000_000_000_000);

        Assert.Equal(
            """
            # HELP events_total Events.
            # TYPE events_total counter
            events_total{strategy="baseline",partition="0"} 3
            events_total{strategy="outloop",partition="0"} 1000000000000
            # HELP in_flight In flight.
            # TYPE in_flight gauge
            in_flight 2.5

            """.ReplaceLineEndings("\n"),
            await MetricText.OfAsync(registry)
        );
    }

    [Fact]
    public async Task Buckets_are_cumulative_and_end_with_the_count()
    {
        var histogram = registry.AddHistogram("step_seconds", "Steps.", [0.001, 0.01, 2.5], ("step", "blob"));
        foreach (var value in new[] { 0.0005, 0.001, 0.0011, 2, 100 })
        {
            histogram.Observe(value);
        }

        registry.AddGauge("step_seconds_counted", "No part of it.").Set(7);

        Assert.Equal(
            """
            # HELP step_seconds Steps.
            # TYPE step_seconds histogram
            step_seconds_sum{step="blob"} 102.0026
            step_seconds_bucket{step="blob",le="0.001"} 2
            step_seconds_bucket{step="blob",le="0.01"} 3
            step_seconds_bucket{step="blob",le="2.5"} 4
            step_seconds_bucket{step="blob",le="+Inf"} 5
            step_seconds_count{step="blob"} 5
            # HELP step_seconds_counted No part of it.
            # TYPE step_seconds_counted gauge
            step_seconds_counted 7

            """.ReplaceLineEndings("\n"),
            await MetricText.OfAsync(registry)
        );
    }

    /// <summary>A value was recorded between the count and the buckets. The labels look like the searched text.</summary>
    [Fact]
    public void The_count_equals_the_last_bucket()
    {
        const string Labels = "step=\"le=\\\"+Inf\\\"} 1\"";
        const string Text =
            $"# HELP h H.\n# TYPE h histogram\nh_sum{{{Labels}}} 3\nh_count{{{Labels}}} 9\n"
            + $"h_bucket{{{Labels},le=\"1\"}} 4\nh_bucket{{{Labels},le=\"+Inf\"}} 10\nh_sum 0\nh_count 0\nh_bucket{{le=\"1\"}} 0\nh_bucket{{le=\"+Inf\"}} 0\n";

        Assert.Equal(
            $"# HELP h H.\n# TYPE h histogram\nh_sum{{{Labels}}} 3\nh_bucket{{{Labels},le=\"1\"}} 4\nh_bucket{{{Labels},le=\"+Inf\"}} 10\n"
                + $"h_count{{{Labels}}} 10\nh_sum 0\nh_bucket{{le=\"1\"}} 0\nh_bucket{{le=\"+Inf\"}} 0\nh_count 0\n",
            Encoding.UTF8.GetString(TextFormat.WithCountsOfBuckets(Encoding.UTF8.GetBytes(Text)).Span)
        );
    }

    [Fact]
    public async Task Help_and_label_values_are_escaped()
    {
        registry.AddGauge("g", "a \"quoted\" back\\slash\nnew line", ("l", "a \"quoted\" back\\slash\nnew line é"));

        Assert.Equal(
            "# HELP g a \"quoted\" back\\\\slash\\nnew line\n# TYPE g gauge\ng{l=\"a \\\"quoted\\\" back\\\\slash\\nnew line é\"} 0\n",
            await MetricText.OfAsync(registry)
        );
    }

    [Theory]
    [InlineData(double.NaN, "NaN")]
    [InlineData(-0.1, "-0.1")]
    [InlineData(1e300, "1e+300")]
    [InlineData(double.MinValue, "-1.7976931348623157e+308")]
    [InlineData(double.Epsilon, "5e-324")]
    public async Task Numbers_have_the_formats_spelling(double value, string expected)
    {
        registry.AddGauge("g", "G.").Set(value);

        Assert.EndsWith($"\ng {expected}\n", await MetricText.OfAsync(registry), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_number_written_is_read_back()
    {
        var gauge = registry.AddGauge("g", "G.");
        Prop.ForAll(
                ArbMap.Default.ArbFor<NormalFloat>(),
                async value =>
                {
                    gauge.Set(value.Get);
                    return double.Parse((await MetricText.OfAsync(registry)).Split(' ')[^1], CultureInfo.InvariantCulture) == value.Get;
                }
            )
            .Check(PropertyCases.Usual);
    }
}
