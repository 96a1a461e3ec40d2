using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class ScrapeConfigurationTests
{
    [Fact]
    public async Task That_of_the_usual_folder_of_Linux_is_the_shipped_file()
    {
        var shipped = await File.ReadAllTextAsync(RepositoryFiles.GetPath("prometheus.yml"), TestContext.Current.CancellationToken);

        Assert.Equal(shipped.ReplaceLineEndings("\n"), ScrapeConfiguration.Of("/tmp/eventhub-throughput/targets", "grafana/rules.yml"));
    }

    [Theory]
    [InlineData("/var/folders/x1/T/eventhub-throughput/targets/", "- /var/folders/x1/T/eventhub-throughput/targets/*.json")]
    [InlineData("/home/me/my targets: #1", "- '/home/me/my targets: #1/*.json'")]
    [InlineData(@"C:\Users\me\Temp\targets", @"- 'C:\Users\me\Temp\targets\*.json'")]
    public async Task The_folder_of_any_system_is_one_pattern_that_promtool_accepts(string folder, string line)
    {
        var text = ScrapeConfiguration.Of(folder, null);

        Assert.Contains($"          {line}\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain("rule_files", text, StringComparison.Ordinal);
        using var configuration = new ConfigurationFile(text);
        var (exitCode, output) = await Promtool.RunAsync(null, "check", "config", configuration.Path);
        Assert.True(exitCode == 0, output);
    }

    [Theory]
    [InlineData("/tmp/targets", true)]
    [InlineData("/tmp/target*", false)]
    [InlineData("/tmp/[targets]", false)]
    public void A_folder_that_is_a_pattern_is_refused(string folder, bool isAllowed) => Assert.Equal(isAllowed, ScrapeConfiguration.GetProblem(folder) is null);

    private sealed class ConfigurationFile : IDisposable
    {
        public ConfigurationFile(string text) => File.WriteAllText(Path, text);

        public string Path { get; } = System.IO.Path.GetTempFileName();

        public void Dispose() => File.Delete(Path);
    }
}
