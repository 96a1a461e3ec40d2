using System.Net;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Serving;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing;

public sealed class ServedCellsTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-cells-");
    private readonly HttpClient http = new();
    private readonly List<string> notices = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private Uri Address => new(notices[0]["metrics: ".Length..]);

    private string Own => Path.Combine(folder.FullName, "cell");

    [Fact]
    public async Task A_comparison_is_one_target_with_its_name_as_a_label()
    {
        await using (await StartAsync())
        {
            var file = Assert.Single(folder.GetFiles("*.json"));
            var target = Assert.Single(JsonNode.Parse(await File.ReadAllTextAsync(file.FullName, Cancellation))!.AsArray())!;

            Assert.Equal(Address.Authority, (string?)target["targets"]![0]);
            Assert.Equal(
                ("compare-1", "consumer", ServedCells.CellPath),
                ((string?)target["labels"]!["comparison"], (string?)target["labels"]!["job"], (string?)target["labels"]!["__metrics_path__"])
            );
        }

        Assert.Empty(folder.GetFiles("*.json"));
    }

    [Fact]
    public async Task A_cell_serves_no_metrics_until_something_asks()
    {
        await using var served = await StartAsync();
        Assert.Null(served.GetOptions(Own));

        using var response = await http.GetAsync(Address, Cancellation);

        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
        Assert.Equal((IPAddress.Loopback, 0, Own), served.GetOptions(Own) is { } options ? (options.Address, options.Port, options.Targets) : default);
    }

    [Fact]
    public async Task The_address_answers_with_the_metrics_of_the_current_cell()
    {
        await using var served = await StartAsync();
        (await http.GetAsync(Address, Cancellation)).Dispose();
        Assert.NotNull(served.GetOptions(Own));
        var registry = new MetricRegistry();
        registry.AddGauge("of_the_cell", "A value.").Set(7);

        await using (var cell = await MetricsEndpoint.StartAsync(registry, new MetricsEndpointOptions(IPAddress.Loopback, 0), Cancellation))
        using (var list = TargetList.Create(Own, "consumer"))
        {
            list.Write(new ScrapeTarget(cell.Reachable, "consumer"));

            Assert.Contains("of_the_cell 7\n", await http.GetStringAsync(Address, Cancellation), StringComparison.Ordinal);
            Assert.Equal(1, cell.Scrapes);
        }

        using var after = await http.GetAsync(Address, Cancellation);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, after.StatusCode);
    }

    [Fact]
    public async Task A_cell_does_not_wait_longer_for_scrapes_than_its_time_limit_allows()
    {
        await using var served = await StartAsync(TimeSpan.FromHours(1));
        (await http.GetAsync(Address, Cancellation)).Dispose();

        Assert.Equal(TimeSpan.FromSeconds(30), served.GetOptions(Own)!.Linger);
    }

    public void Dispose()
    {
        http.Dispose();
        folder.Delete(recursive: true);
    }

    private Task<ServedCells> StartAsync(TimeSpan? linger = null) =>
        ServedCells.StartAsync(
            "compare-1",
            new MetricsOptions(IPAddress.Loopback, null, linger ?? TimeSpan.FromSeconds(3)) { Targets = folder.FullName },
            notices.Add,
            Cancellation
        );
}
