using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class ResultFileTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("results-");

    private static VerificationResult Verification => ResultDocument.OfVerification(null, 3, VerdictDocument.Of(VerdictReport.NothingNamed), "1.2.3");

    private string FilePath => Path.Combine(folder.FullName, "r.json");

    private static string GetSummary(RunReport report)
    {
        using var output = new StringWriter { NewLine = "\n" };
        SummaryText.Write(report, output);
        return output.ToString();
    }

    [Fact]
    public void A_result_is_read_again_with_its_types()
    {
        ResultFile.Write(FilePath, ResultDocument.Of(Reports.Of("outloop"), "1.2.3+abc"));

        var result = ResultJson.Read<RunResult>(File.ReadAllBytes(FilePath));
        Assert.Equal((1, "run", ResultKind.Capacity, ProcessingEnd.Drained), (result.Run.Schema, result.Run.Id, result.Run.Kind, result.Run.End));
        Assert.Equal(("1.2.3", "abc"), (result.Program.Version, result.Program.Commit));
        Assert.Equal(50, result.Strategy.BatchSizes[10]);
        Assert.Equal(100, result.Throughput.EventsPerS);
        Assert.Equal(10, result.Stages["servicebus"].MeanMs!.Value, 0.001);
        Assert.Equal(1, result.Stages["event"].MeanInFlight!.Value, 0.001);
        Assert.Null(result.Stages["servicebus"].P99Ms);
        Assert.Equal((10, 1), (result.Strategy.DegreeReached.Max, result.Strategy.DegreeReached.Mean));
        Assert.Equal((SafetyVerdict.Clean, 600), (result.Safety.Verdict, result.Safety.Complete));
        Assert.Equal(0.901, result.Model!.MeasuredToPredicted!.Value, 0.001);
        Assert.Equal((RateBound.None, MeasurementStatus.Ok), (result.Bounds.Bound, result.Bounds.Status));
    }

    [Fact]
    public void Holds_histograms_that_those_of_several_runs_are_merged_from_and_reads_results_without_them()
    {
        var result = ResultDocument.Of(Reports.Of("outloop"), "1.2.3");
        var merged = LatencyHistogram.Parse(result.Stages["event"].Histogram!);
        merged.Add(LatencyHistogram.Parse(result.Stages["checkpoint"].Histogram!));
        Assert.Equal((550, TimeSpan.FromMilliseconds(6250)), (merged.Count, merged.Sum));
        Assert.Null(result.Stages["window"].Histogram);

        var older = JsonNode.Parse(ResultJson.Write(result))!;
        Assert.True(older["stages"]!["event"]!.AsObject().Remove("histogram"));
        Assert.Null(ResultJson.Read<RunResult>(Encoding.UTF8.GetBytes(older.ToJsonString())).Stages["event"].Histogram);
    }

    [Theory]
    [InlineData(1.04, -0.038)]
    [InlineData(0.96, 0.042)]
    [InlineData(1.06, -0.057)]
    public void Checks_the_time_of_an_event_by_Littles_law(double counted, double error)
    {
        // 500 events of 10 ms in 5 s.
        var report = Reports.Of("outloop");
        var checkedReport = report with { Figures = report.Figures with { MeanEventsInFlight = counted } };

        var stages = ResultDocument.Of(checkedReport, "1.2.3").Stages;
        Assert.Equal(error, stages["event"].LittleError!.Value, 0.001);
        Assert.Null(stages["blob"].LittleError);
        Assert.Equal(Math.Abs(error) > 0.05, GetSummary(checkedReport).Contains("\ntiming      error: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Checks_nothing_by_Littles_law_where_the_times_are_not_those_in_flight()
    {
        var report = Reports.Of("outloop");
        var figures = report.Figures with { MeanEventsInFlight = 2 };

        Assert.Null(report.Little);
        Assert.Null((report with { Figures = figures, BlockedEvents = 1 }).Little);
        Assert.Null((report with { Figures = figures with { DeadLettered = 1 } }).Little);
        Assert.Null((report with { Figures = figures with { Measured = TimeSpan.FromMilliseconds(499) } }).Little);
        Assert.NotNull((report with { Figures = figures with { Measured = TimeSpan.FromMilliseconds(500) } }).Little);
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

        var result = ResultDocument.Of(Reports.Of("outloop") with { Latencies = [missed] }, "1.2.3");

        Assert.Equal(missed, Assert.Single(result.Profile.Latencies));
        Assert.Equal(MeasurementStatus.ProfileMissed, result.Bounds.Status);
    }

    [Fact]
    public void Names_the_faults_and_the_degree_and_checkpoints_in_force()
    {
        var report = Reports.Of(Reports.ContinuesAcrossBatches);
        var faulty = report with { Options = report.Options with { Load = report.Options.Load! with { Faults = "F14,F17" } } };

        var result = ResultDocument.Of(faulty, "1.2.3");

        Assert.Equal(["F14", "F17"], result.Profile.Faults!);
        Assert.Equal((1000, 5000), (result.Strategy.CheckpointEvents, result.Strategy.CheckpointIntervalMs));
        Assert.Null(ResultDocument.Of(report, "1.2.3").Profile.Faults);
        Assert.Equal(1, ResultDocument.Of(Reports.Of("baseline"), "1.2.3").Strategy.Degree);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("""{"run":{"schema":1,"id":"older"}}""")]
    public void A_file_that_is_not_a_result_is_not_read_as_one(string text) =>
        Assert.ThrowsAny<JsonException>(() => ResultJson.Read<RunResult>(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Replaces_an_older_file_as_a_whole_and_leaves_nothing_beside_it()
    {
        const string Older = """{"run":{"schema":1,"id":"older"}}""";
        File.WriteAllText(FilePath, Older);

        ResultFile.EnsureWritable(FilePath);
        Assert.Equal(Older, File.ReadAllText(FilePath));
        ResultFile.Write(FilePath, Verification);

        Assert.EndsWith("    \"unjudged\": []\n  }\n}\n", File.ReadAllText(FilePath), StringComparison.Ordinal);
        Assert.Equal([FilePath], Directory.GetFileSystemEntries(folder.FullName));
    }

    [Fact]
    public void Is_refused_before_the_run_where_it_cannot_be_written()
    {
        var missing = Path.Combine(folder.FullName, "missing", "r.json");

        Assert.Equal(FailureCause.NotWritable, Assert.Throws<FailureException>(() => ResultFile.EnsureWritable(missing)).Cause);
        var refusal = Assert.Throws<FailureException>(() => ResultFile.EnsureWritable(folder.FullName));
        Assert.Equal((FailureCause.NotWritable, $"--output {folder.FullName}: is a folder"), (refusal.Cause, refusal.Message));
    }

    [Fact]
    public void Is_not_written_over_what_has_taken_its_place_during_the_run()
    {
        ResultFile.EnsureWritable(FilePath);
        File.WriteAllText(FilePath, "evidence");

        var refusal = Assert.Throws<FailureException>(() => ResultFile.Write(FilePath, ResultDocument.Of(Reports.Of("outloop"), "1.2.3")));

        Assert.Equal(
            (FailureCause.NotWritable, $"--output {FilePath}: exists and is not a result of this program, name another file, or move it away"),
            (refusal.Cause, refusal.Message)
        );
        Assert.Equal("evidence", File.ReadAllText(FilePath));
    }

    [Fact]
    public void Can_be_read_by_its_owner_only()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() || OperatingSystem.IsMacOS(), "file modes are Unix's");

        ResultFile.Write(FilePath, Verification);

        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(FilePath));
        }
    }

    public void Dispose() => folder.Delete(recursive: true);
}
