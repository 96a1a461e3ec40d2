using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Settings;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Consumer.Tests.Comparing;

public sealed class ComparisonFilesTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("reports-");

    [Theory]
    [InlineData("r.html", "<!DOCTYPE html>")]
    [InlineData("r.HTML", "<!DOCTYPE html>")]
    [InlineData("r.md", "<!-- EventHubThroughput ")]
    [InlineData("r.csv", "comparison,started_utc,")]
    public async Task The_ending_of_its_name_decides_the_form_of_a_report_and_an_older_one_gives_way(string name, string begin)
    {
        var path = Path.Combine(folder.FullName, name);
        var plan = await PlanAsync("--strategies=baseline,combined", $"--report={path}");

        for (var time = 0; time < 2; time++)
        {
            using var error = new StringWriter();
            Assert.Empty(ComparisonFiles.Write(plan.Output, plan.Report, GetResult(plan, Blocks(plan, [30, 150])), error));
            Assert.Equal($"report: {path}", error.ToString().TrimEnd());
        }

        Assert.StartsWith(begin, await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_that_cannot_be_written_is_reported_with_an_exit_code()
    {
        var path = Path.Combine(folder.FullName, "missing", "r.html");
        var plan = await PlanAsync("--strategies=baseline,combined", $"--report={path}");
        using var error = new StringWriter();

        Assert.Equal([ExitCode.ResultsUnwritable], ComparisonFiles.Write(plan.Output, plan.Report, GetResult(plan, Blocks(plan, [30, 150])), error));
        Assert.StartsWith($"error: --report {path}: ", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("compare")]
    [InlineData("sweep")]
    public async Task An_interrupted_comparison_prints_the_command_that_resumes_it(string command)
    {
        var path = Path.Combine(folder.FullName, "r.json");
        var form = command == "sweep" ? ComparisonForm.Sweep : ComparisonForm.Compare;
        var plan = await PlanAsync(form, "--strategies=combined", $"--output={path}");
        using var error = new StringWriter();

        Assert.Empty(ComparisonFiles.Write(plan.Output, plan.Report, GetResult(plan, [], complete: false), error));
        Assert.EndsWith($"again: consumer {command} --resume {path}", error.ToString().TrimEnd(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_interrupted_comparison_without_a_file_reports_that_nothing_is_kept()
    {
        var plan = await PlanAsync("--strategies=combined");
        using var error = new StringWriter();

        Assert.Empty(ComparisonFiles.Write(plan.Output, plan.Report, GetResult(plan, [], complete: false), error));
        Assert.Equal("not kept: with --output FILE, --resume FILE continues an interrupted comparison", error.ToString().TrimEnd());
    }

    [Fact]
    public async Task A_full_disk_is_reported_for_each_file_with_an_exit_code()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux alone has a device that is always full");
        var plan = (await PlanAsync("--strategies=baseline,combined")) with { Output = "/dev/full", Report = "/dev/full" };
        using var error = new StringWriter();

        Assert.Equal(
            [ExitCode.ResultsUnwritable, ExitCode.ResultsUnwritable],
            ComparisonFiles.Write(plan.Output, plan.Report, GetResult(plan, Blocks(plan, [30, 150])), error)
        );
        Assert.Contains("error: --output /dev/full: ", error.ToString(), StringComparison.Ordinal);
        Assert.Contains("error: --report /dev/full: ", error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => folder.Delete(recursive: true);
}
