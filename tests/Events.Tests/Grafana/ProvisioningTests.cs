using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Events.Tests.Grafana;

public sealed class ProvisioningTests
{
    [Fact]
    public async Task Prometheus_scrapes_every_port_that_a_consumer_may_take()
    {
        var text = await ReadAsync("prometheus.yml");

        Assert.Contains("scrape_interval: 1s", text, StringComparison.Ordinal);
        Assert.Contains("evaluation_interval: 1s", text, StringComparison.Ordinal);
        Assert.Contains("job_name: consumer", text, StringComparison.Ordinal);
        Assert.All(Enumerable.Range(9464, 8), port => Assert.Contains($"- 127.0.0.1:{port}\n", text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_data_source_is_the_one_that_dashboards_choose_by_default()
    {
        var text = await ReadAsync("grafana", "provisioning", "datasources", "prometheus.yml");

        Assert.Contains("uid: prometheus\n", text, StringComparison.Ordinal);
        Assert.Contains("access: proxy\n", text, StringComparison.Ordinal);
        Assert.Contains("url: ${PROMETHEUS_URL}\n", text, StringComparison.Ordinal);

        // Grafana's $__rate_interval follows from it.
        Assert.Contains("timeInterval: 1s\n", text, StringComparison.Ordinal);
        var variable = Dashboard.Load("strategies.json").Variables.Single(candidate => Dashboard.Text(candidate, "type") == "datasource");
        Assert.Equal("prometheus", variable["current"]!["value"]!.GetValue<string>());
    }

    [Fact]
    public async Task Dashboards_are_files_that_the_page_cannot_change()
    {
        var text = await ReadAsync("grafana", "provisioning", "dashboards", "strategies.yml");

        Assert.Contains("type: file\n", text, StringComparison.Ordinal);
        Assert.Contains("allowUiUpdates: false\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Promtool_accepts_the_configuration()
    {
        var (exitCode, output) = await Promtool.RunAsync(null, "check", "config", RepositoryFiles.PathOf("prometheus.yml"));

        Assert.True(exitCode == 0, output);
    }

    private static async Task<string> ReadAsync(params string[] parts) =>
        (await File.ReadAllTextAsync(RepositoryFiles.PathOf(parts), TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");
}
