using System.Net;
using System.Text;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class ServedMetricsTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-targets-");
    private readonly List<string> said = [];
    private readonly HttpClient http = new();
    private readonly VirtualClock clock = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private Uri Address => new(said[0]["metrics: ".Length..]);

    private string Listed => File.ReadAllText(folder.GetFiles("*.json").Single().FullName);

    [Fact]
    public async Task Lists_the_emulator_beside_itself_and_serves_its_last_words_when_it_has_gone()
    {
        await using var served = await StartAsync();
        Assert.DoesNotContain("emulator", Listed, StringComparison.Ordinal);
        var isGone = false;
        served.AddEmulator(_ =>
            isGone
                ? throw new FailureException(FailureCause.Dependency, "emulator did not answer")
                : Task.FromResult<ReadOnlyMemory<byte>>(Encoding.UTF8.GetBytes("emulator_uptime_seconds 1\n"))
        );

        Assert.Contains("\"__metrics_path__\":\"/metrics/emulator\"", Listed, StringComparison.Ordinal);
        Assert.Contains("\"run\":\"r\"", Listed, StringComparison.Ordinal);
        Assert.Equal("emulator_uptime_seconds 1\n", await http.GetStringAsync(new Uri($"{Address}/emulator"), Cancellation));
        isGone = true;
        Assert.Equal("emulator_uptime_seconds 1\n", await http.GetStringAsync(new Uri($"{Address}/emulator"), Cancellation));
    }

    [Fact]
    public async Task An_emulator_that_never_answered_is_reported_as_unavailable()
    {
        await using var served = await StartAsync();
        served.AddEmulator(_ => throw new FailureException(FailureCause.Dependency, "emulator did not answer"));

        using var response = await http.GetAsync(new Uri($"{Address}/emulator"), Cancellation);

        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
    }

    [Fact]
    public async Task The_linger_time_ends_immediately_without_a_scraper()
    {
        await using var served = await StartAsync();

        await served.LingerAsync(TimeSpan.FromSeconds(30), said.Add, clock, Cancellation);

        Assert.Single(said);
    }

    [Fact]
    public async Task The_linger_time_waits_for_two_scrapes_after_one_and_reports_it()
    {
        await using var served = await StartAsync();
        await http.GetStringAsync(Address, Cancellation);
        var waiting = served.LingerAsync(TimeSpan.FromSeconds(30), said.Add, clock, Cancellation);

        Assert.Equal("metrics: waiting for two scrapes of the last figures, at most 30s (--linger)", said[1]);
        await http.GetStringAsync(Address, Cancellation);
        Assert.False(waiting.IsCompleted);
        await http.GetStringAsync(Address, Cancellation);

        await waiting;
    }

    [Fact]
    public async Task Serves_on_where_it_cannot_be_listed()
    {
        var taken = Path.Combine(folder.FullName, "file");
        await File.WriteAllTextAsync(taken, "", Cancellation);

        await using var served = await StartAsync(taken);

        Assert.StartsWith("metrics: not listed for Prometheus: ", said[1], StringComparison.Ordinal);
        Assert.NotNull(await http.GetStringAsync(Address, Cancellation));
    }

    public void Dispose()
    {
        http.Dispose();
        folder.Delete(recursive: true);
    }

    private Task<ServedMetrics> StartAsync(string? targets = null) =>
        ServedMetrics.StartAsync(
            new MetricRegistry(),
            new MetricsOptions(IPAddress.Loopback, 0, TimeSpan.Zero) { Targets = targets ?? folder.FullName },
            new RunOptions
            {
                Run = "r",
                Processing = new ProcessingOptions { Strategy = StrategyCatalog.Find("baseline") with { Name = "x" } },
            },
            said.Add,
            Cancellation
        );
}
