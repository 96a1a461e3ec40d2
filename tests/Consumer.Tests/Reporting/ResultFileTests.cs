using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Reporting;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Reporting;

public sealed class ResultFileTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("results-");

    private string FilePath => Path.Combine(folder.FullName, "r.json");

    [Fact]
    public void Holds_every_group_with_missing_values_as_null()
    {
        ResultFile.Write(FilePath, ResultDocument.Of(Reports.Of("outloop"), "1.2.3+abc"));

        var result = JsonNode.Parse(File.ReadAllText(FilePath))!.AsObject();
        Assert.Equal(
            ["run", "program", "machine", "strategy", "input", "profile", "time", "throughput", "stages", "errors", "resources", "safety", "model", "bounds"],
            result.Select(group => group.Key)
        );
        Assert.Equal(1, (int)result["run"]!["schema"]!);
        Assert.Equal(("1.2.3", "abc"), ((string)result["program"]!["version"]!, (string)result["program"]!["commit"]!));
        Assert.Equal(50, (int)result["strategy"]!["batchSizes"]!["10"]!);
        Assert.Equal(100, (double)result["throughput"]!["eventsPerS"]!);
        Assert.Equal(10, (double)result["stages"]!["servicebus"]!["meanMs"]!, 0.001);
        Assert.Equal(1, (double)result["stages"]!["event"]!["meanInFlight"]!, 0.001);
        Assert.Null(result["stages"]!["servicebus"]!["p99Ms"]);
        Assert.True(result["stages"]!["servicebus"]!.AsObject().ContainsKey("p99Ms"));
        Assert.Null(result["resources"]!["sender"]!["cpuUsPerEvent"]);
        Assert.Equal("clean", (string)result["safety"]!["verdict"]!);
        Assert.Equal(600, (int)result["safety"]!["complete"]!);
        Assert.Equal(0.901, (double)result["model"]!["measuredToPredicted"]!, 0.001);
        Assert.Equal(("none", "ok"), ((string)result["bounds"]!["bound"]!, (string)result["bounds"]!["status"]!));
        Assert.True(result["bounds"]!.AsObject().ContainsKey("emulatorCeilingEventsPerS"));
    }

    [Fact]
    public void Holds_what_the_emulator_was_asked_for_beside_what_it_kept()
    {
        var missed = new InjectedLatency
        {
            Operation = "blobWrite",
            AskedMeanMs = 9.35,
            Count = 600,
            MeanMs = 11.25,
            P50Ms = 11,
            P99Ms = 14,
            SdMs = 1,
            Throttles = 2,
        };
        var report = Reports.Of("outloop") with { Latencies = [missed] };

        var result = ResultDocument.Of(report, "1.2.3");

        var row = Assert.Single(result["profile"]!["latencies"]!.AsArray())!;
        Assert.Equal(
            ["operation", "askedMeanMs", "askedSdMs", "count", "meanMs", "sdMs", "p50Ms", "p99Ms", "throttles", "isMissed"],
            row.AsObject().Select(member => member.Key)
        );
        Assert.Equal(("blobWrite", 9.35, 11.25), ((string)row["operation"]!, (double)row["askedMeanMs"]!, (double)row["meanMs"]!));
        Assert.Equal("profile-missed", (string)result["bounds"]!["status"]!);
    }

    [Fact]
    public void Replaces_an_older_file_as_a_whole_and_leaves_nothing_beside_it()
    {
        File.WriteAllText(FilePath, "older");

        ResultFile.EnsureWritable(FilePath);
        Assert.Equal("older", File.ReadAllText(FilePath));
        ResultFile.Write(FilePath, new JsonObject { ["a"] = 1 });

        Assert.Equal("{\n  \"a\": 1\n}\n", File.ReadAllText(FilePath));
        Assert.Equal([FilePath], Directory.GetFileSystemEntries(folder.FullName));
    }

    [Fact]
    public void Is_refused_before_the_run_where_it_cannot_be_written()
    {
        var missing = Path.Combine(folder.FullName, "missing", "r.json");

        Assert.Equal(5, Assert.Throws<ExitException>(() => ResultFile.EnsureWritable(missing)).ExitCode);
        var refusal = Assert.Throws<ExitException>(() => ResultFile.EnsureWritable(folder.FullName));
        Assert.Equal((5, $"--output {folder.FullName}: is a folder"), (refusal.ExitCode, refusal.Message));
    }

    [Fact]
    public void Can_be_read_by_its_owner_only()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() || OperatingSystem.IsMacOS(), "file modes are Unix's");

        ResultFile.Write(FilePath, []);

        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(FilePath));
        }
    }

    public void Dispose() => folder.Delete(recursive: true);
}
