using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class PromtoolTests
{
    // What promtool answers when the text is valid but a name breaks a convention.
    private const int Lint = 3;

    [Fact]
    public async Task Promtool_accepts_every_family_and_complains_of_the_legacy_names_only()
    {
        var registry = new MetricRegistry();
        AddAll(registry);

        var (exitCode, output) = await CheckAsync(await MetricText.OfAsync(registry));

        Assert.Equal(Lint, exitCode);
        var complained = output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]).Distinct(StringComparer.Ordinal);
        Assert.Subset(MetricNames.Legacy.ToHashSet(StringComparer.Ordinal), complained.ToHashSet(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Promtool_finds_nothing_in_the_modern_names_however_odd_the_labels()
    {
        var registry = new MetricRegistry();
        ProcessMetrics.AddTo(registry, typeof(PromtoolTests).Assembly, ("run", "r"));
        registry
            .AddHistogram(MetricNames.StepDurationSeconds, "A \\ \"b\"\nc.", HistogramBounds.Durations, ("strategy", "a\"b\\c\nd é"), ("step", string.Empty))
            .Observe(0.1);
        registry.AddGauge(MetricNames.EventsInFlight, "G.").Set(double.NaN);
        registry.AddGauge(MetricNames.Degree, "G.").Set(double.NegativeInfinity);

        Assert.Equal((0, string.Empty), await CheckAsync(await MetricText.OfAsync(registry)));
    }

    private static void AddAll(MetricRegistry registry)
    {
        foreach (var name in MetricNames.All)
        {
            if (name.EndsWith("_total", StringComparison.Ordinal) || name == MetricNames.ProcessedMessageCounter)
            {
                registry.AddCounter(name, "A counter.", ("strategy", "outloop"), ("partition", "0")).Inc();
            }
            else if (name.EndsWith("_duration_seconds", StringComparison.Ordinal))
            {
                registry.AddHistogram(name, "A histogram.", HistogramBounds.Durations, ("strategy", "outloop"), ("run", "r")).Observe(0.01);
            }
            else
            {
                registry.AddGauge(name, "A gauge.", ("strategy", "outloop"), ("run", "r")).Set(1);
            }
        }
    }

    private static Task<(int ExitCode, string Output)> CheckAsync(string text) => Promtool.RunAsync(text, "check", "metrics");
}
