using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Grafana;

public sealed class ProvisioningTests
{
    [Fact]
    public async Task Prometheus_scrapes_what_has_listed_itself_and_nothing_else()
    {
        var text = await ReadAsync("prometheus.yml");

        Assert.Contains("scrape_interval: 1s", text, StringComparison.Ordinal);
        Assert.Contains("evaluation_interval: 1s", text, StringComparison.Ordinal);
        Assert.Contains("job_name: consumer", text, StringComparison.Ordinal);
        Assert.Contains("- /tmp/eventhub-throughput/targets/*.json\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain("static_configs", text, StringComparison.Ordinal);
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
        var (exitCode, output) = await Promtool.RunAsync(null, "check", "config", RepositoryFiles.GetPath("prometheus.yml"));

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public async Task The_rules_say_what_their_tests_expect()
    {
        var (exitCode, output) = await Promtool.RunAsync(null, "test", "rules", RepositoryFiles.GetPath("grafana", "rules.test.yml"));

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public async Task Every_alert_has_a_test()
    {
        var rules = await ReadAsync("grafana", "rules.yml");
        var tests = await ReadAsync("grafana", "rules.test.yml");

        var alerts = rules
            .Split('\n')
            .Where(static line => line.Contains("- alert: ", StringComparison.Ordinal))
            .Select(static line => line.Split(": ")[1])
            .ToArray();
        Assert.NotEmpty(alerts);
        Assert.All(alerts, alert => Assert.Contains($"alertname: {alert}\n", tests, StringComparison.Ordinal));
    }

    private static async Task<string> ReadAsync(params string[] parts) =>
        (await File.ReadAllTextAsync(RepositoryFiles.GetPath(parts), TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");
}
