using System.Text.Json.Nodes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class TargetListTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-targets-");

    private string[] Files => [.. folder.EnumerateFiles().Select(static file => file.Name)];

    [Fact]
    public async Task Lists_what_lives_in_the_form_of_file_sd_and_is_gone_with_its_process()
    {
        using (var list = TargetList.Create(folder.FullName, "consumer"))
        {
            list.Write(
                new ScrapeTarget("127.0.0.1:9464", "consumer"),
                new ScrapeTarget("127.0.0.1:9464", "emulator", "/metrics/emulator") { Labels = new Dictionary<string, string> { ["run"] = "r" } }
            );

            Assert.Equal([$"consumer-{Environment.ProcessId}.json"], Files);
            var listed = JsonNode.Parse(await File.ReadAllTextAsync(GetPath(Files[0]), TestContext.Current.CancellationToken))!.AsArray();
            Assert.All(listed, static entry => Assert.Equal("127.0.0.1:9464", (string?)entry!["targets"]![0]));
            Assert.Equal(["consumer", "emulator"], listed.Select(static entry => (string?)entry!["labels"]!["job"]));
            Assert.Equal(["/metrics", "/metrics/emulator"], listed.Select(static entry => (string?)entry!["labels"]!["__metrics_path__"]));
            Assert.Equal("r", (string?)listed[1]!["labels"]!["run"]);
        }

        Assert.Empty(Files);
    }

    [Fact]
    public async Task Removes_what_a_killed_process_has_left_and_nothing_else()
    {
        // No process has a number beyond what the system gives out.
        await WriteAsync("consumer-2147483647.json");
        await WriteAsync($"sender-{Environment.ProcessId}.json");
        await WriteAsync("hand-made.json");
        await WriteAsync("consumer-2147483647.txt");
        await WriteAsync("consumer-1.json");
        File.SetLastWriteTimeUtc(GetPath("consumer-1.json"), DateTime.UnixEpoch);

        using var list = TargetList.Create(folder.FullName, "consumer");

        // Process 1 is younger than a file of 1970 that has its number.
        Assert.Equal(["consumer-2147483647.txt", "hand-made.json", $"sender-{Environment.ProcessId}.json"], Files.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task The_target_list_detects_whether_it_was_read()
    {
        Assert.SkipWhen(!await KeepsTimesOfReadingAsync(), "this file system does not keep when a file was read");
        using var list = TargetList.Create(folder.FullName, "consumer");
        Assert.False(list.WasRead);
        list.Write(new ScrapeTarget("127.0.0.1:9464", "consumer"));
        Assert.False(list.WasRead);

        await File.ReadAllTextAsync(GetPath(Files[0]), TestContext.Current.CancellationToken);
        Assert.True(list.WasRead);
        list.Write(new ScrapeTarget("127.0.0.1:9465", "consumer"));
        Assert.True(list.WasRead);
    }

    [Fact]
    public async Task Promtool_accepts_a_list()
    {
        using var list = TargetList.Create(folder.FullName, "consumer");
        list.Write(new ScrapeTarget("127.0.0.1:9464", "consumer"));
        var configuration = GetPath("prometheus.yml");
        await File.WriteAllTextAsync(
            configuration,
            $"scrape_configs:\n  - job_name: x\n    file_sd_configs:\n      - files: ['{GetPath(Files[0])}']\n",
            TestContext.Current.CancellationToken
        );

        var (exitCode, output) = await Promtool.RunAsync(null, "check", "config", configuration);

        Assert.True(exitCode == 0, output);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private string GetPath(string name) => Path.Combine(folder.FullName, name);

    private Task WriteAsync(string name) => File.WriteAllTextAsync(GetPath(name), "[]", TestContext.Current.CancellationToken);

    private async Task<bool> KeepsTimesOfReadingAsync()
    {
        var probe = GetPath("probe.txt");
        await File.WriteAllTextAsync(probe, "x", TestContext.Current.CancellationToken);
        File.SetLastAccessTimeUtc(probe, DateTime.UnixEpoch);
        await File.ReadAllTextAsync(probe, TestContext.Current.CancellationToken);
        var keeps = File.GetLastAccessTimeUtc(probe) > DateTime.UnixEpoch;
        File.Delete(probe);
        return keeps;
    }
}
