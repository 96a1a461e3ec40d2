using System.Globalization;
using EventHubThroughput.Metrics;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Events.Tests.Metrics;

public sealed class TextFormatTests
{
    [Fact]
    public void Each_family_is_contiguous_with_help_and_type_once()
    {
        using var registry = new MetricRegistry("test");
        var first = registry.AddCounter("events_total", "Events.", ("strategy", "baseline"), ("partition", "0"));
        registry.AddGauge("in_flight", "In flight.").Set(2.5);
        var second = registry.AddCounter("events_total", "Events.", ("strategy", "outloop"), ("partition", "0"));
        first.Add(3);
        second.Add(1_000_000_000_000);

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
            MetricText.Of(registry)
        );
    }

    [Fact]
    public void Buckets_are_cumulative_and_end_with_the_count()
    {
        using var registry = new MetricRegistry("test");
        var histogram = registry.AddHistogram("step_seconds", "Steps.", [0.001, 0.01, 2.5], ("step", "blob"));
        foreach (var value in new[] { 0.0005, 0.001, 0.0011, 2, 100 })
        {
            histogram.Record(value);
        }

        Assert.Equal(
            """
            # HELP step_seconds Steps.
            # TYPE step_seconds histogram
            step_seconds_bucket{step="blob",le="0.001"} 2
            step_seconds_bucket{step="blob",le="0.01"} 3
            step_seconds_bucket{step="blob",le="2.5"} 4
            step_seconds_bucket{step="blob",le="+Inf"} 5
            step_seconds_sum{step="blob"} 102.0026
            step_seconds_count{step="blob"} 5

            """.ReplaceLineEndings("\n"),
            MetricText.Of(registry)
        );
    }

    [Fact]
    public void Help_and_label_values_are_escaped()
    {
        using var registry = new MetricRegistry("test");
        registry.AddGauge("g", "a \"quoted\" back\\slash\nnew line", ("l", "a \"quoted\" back\\slash\nnew line é"));

        Assert.Equal(
            "# HELP g a \"quoted\" back\\\\slash\\nnew line\n# TYPE g gauge\ng{l=\"a \\\"quoted\\\" back\\\\slash\\nnew line é\"} 0\n",
            MetricText.Of(registry)
        );
    }

    [Theory]
    [InlineData(double.NaN, "NaN")]
    [InlineData(double.PositiveInfinity, "+Inf")]
    [InlineData(double.NegativeInfinity, "-Inf")]
    [InlineData(-0.1, "-0.1")]
    [InlineData(1e300, "1E+300")]
    [InlineData(double.MinValue, "-1.7976931348623157E+308")]
    [InlineData(double.Epsilon, "5E-324")]
    public void Numbers_have_the_formats_spelling(double value, string expected)
    {
        using var registry = new MetricRegistry("test");
        registry.AddGauge("g", "G.").Set(value);

        Assert.EndsWith($"\ng {expected}\n", MetricText.Of(registry), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_number_written_is_read_back() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<NormalFloat>(),
                value =>
                {
                    using var registry = new MetricRegistry("test");
                    registry.AddGauge("g", "G.").Set(value.Get);
                    return double.Parse(MetricText.Of(registry).Split(' ')[^1], CultureInfo.InvariantCulture) == value.Get;
                }
            )
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Callbacks_are_read_at_the_scrape_and_a_broken_one_spoils_only_itself()
    {
        using var registry = new MetricRegistry("test");
        var value = 1.0;
        registry.AddGaugeCallback("good", "Good.", () => value);
        registry.AddCounterCallback("bad_total", "Bad.", () => throw new InvalidOperationException());
        value = 2;

        var text = MetricText.Of(registry);

        Assert.Contains("\ngood 2\n", text, StringComparison.Ordinal);
        Assert.Contains("\nbad_total NaN\n", text, StringComparison.Ordinal);
    }
}
