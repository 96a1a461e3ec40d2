using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Metrics;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Official;

/// <summary>What prometheus-net serves, held against the built-in exporter on the same registry.</summary>
public sealed partial class PrometheusNetTextTests : IDisposable
{
    private readonly PumpBench bench = new();
    private readonly HttpClient http = new();
    private readonly MetricsText packages;

    public PrometheusNetTextTests() => packages = BuildOffer.Current.MetricsText(bench.Registry);

    [Fact]
    public async Task Families_names_labels_and_values_are_the_same_at_every_scrape()
    {
        bench.Metrics.WatchRedelivered(() => 7);
        bench.Metrics.WatchBlocked(() => 0.5);
        await AssertSameAsync();

        await bench.Open("combined").ProcessAsync(Some.Batch(3), TestContext.Current.CancellationToken);
        bench.Metrics.Record(Stage.Blob, TimeSpan.FromMilliseconds(12.5));
        bench.Metrics.Record(Stage.Event, TimeSpan.FromHours(2));
        bench.Metrics.CountError(Stage.ServiceBus, "a \"new\" series,\nwith \\ in it");
        bench.Metrics.SetVerdict("clean");
        string[] lines = await AssertSameAsync();

        Assert.Contains("processed_messagecounter{partition=\"0\",run=\"run\",strategy=\"x\"} 3", lines);
    }

    [Fact]
    public async Task Nothing_is_served_that_the_registry_does_not_have() =>
        Assert.Equal(
            bench.Registry.Families.Select(static family => family.Name).Order(StringComparer.Ordinal),
            (await ScrapeAsync(packages))
                .Split('\n')
                .Where(static line => line.StartsWith("# TYPE ", StringComparison.Ordinal))
                .Select(static line => line.Split(' ')[2])
                .Order(StringComparer.Ordinal)
        );

    public void Dispose()
    {
        http.Dispose();
        bench.Dispose();
    }

    private async Task<string[]> AssertSameAsync()
    {
        string[] builtIn = Lines(await ScrapeAsync(bench.Registry.WriteTextAsync));
        Assert.Equal(builtIn, Lines(await ScrapeAsync(packages)));
        return builtIn;
    }

    private async Task<string> ScrapeAsync(MetricsText text)
    {
        await using MetricsEndpoint endpoint = await MetricsEndpoint.StartAsync(
            text,
            new MetricsEndpointOptions(IPAddress.Loopback, 0),
            TestContext.Current.CancellationToken
        );
        return await http.GetStringAsync(new Uri(endpoint.Address, "metrics"), TestContext.Current.CancellationToken);
    }

    // Neither the order of lines and labels nor the way in which a number is written means anything in the format.
    private static string[] Lines(string text) =>
        [
            .. text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(static line => line.StartsWith('#') ? line : Sample(line))
                .Order(StringComparer.Ordinal),
        ];

    private static string Sample(string line)
    {
        Match parts = SampleLine().Match(line);
        Assert.True(parts.Success, line);
        IEnumerable<string> labels = Label()
            .Matches(parts.Groups["labels"].Value)
            .Select(static label => label.Groups["name"].Value is "le" ? $"le=\"{Number(label.Groups["value"].Value)}\"" : label.Value)
            .Order(StringComparer.Ordinal);
        return $"{parts.Groups["name"]}{{{string.Join(',', labels)}}} {Number(parts.Groups["value"].Value)}";
    }

    private static string Number(string text) =>
        text is "+Inf" ? text : double.Parse(text, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^(?<name>\w+)(\{(?<labels>.*)\})? (?<value>\S+)$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex SampleLine();

    [GeneratedRegex(@"(?<name>\w+)=""(?<value>(\\.|[^""\\])*)""", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Label();
}
