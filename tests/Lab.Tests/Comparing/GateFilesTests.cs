using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The outcomes of gates for build servers: JUnit XML and the step summary of GitHub Actions.</summary>
public sealed class GateFilesTests : IDisposable
{
    private static readonly double[] Wobble = [1, 1.01, 0.99, 1.015, 0.985, 1.005, 0.995, 1.02, 0.98, 1];

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-gates-");

    private string JUnit => Path.Combine(folder.FullName, "gates.xml");

    private string Summary => Path.Combine(folder.FullName, "summary.md");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task JUnit_has_a_case_for_each_verdict_and_each_gate()
    {
        var codes = await JudgeAsync("combined.rate < 4 * baseline.rate", "combined.rate < 6 * baseline.rate", "combined.endtoend99 > 50");

        Assert.Equal([0, 11, 12], codes);
        var suite = XDocument.Load(JUnit).Root!.Element("testsuite")!;
        Assert.Equal(("5", "1", "1", "0"), (Read(suite, "tests"), Read(suite, "failures"), Read(suite, "errors"), Read(suite, "skipped")));
        Assert.Equal(
            [
                "verdict baseline: passed",
                "verdict combined: passed",
                "gate combined.rate < 4 * baseline.rate: passed",
                "gate combined.rate < 6 * baseline.rate: failure",
                "gate combined.endtoend99 > 50: error",
            ],
            suite
                .Elements("testcase")
                .Select(one =>
                    $"{Read(one, "classname")} {Read(one, "name")}: {one.Elements().FirstOrDefault(child => child.Name != "system-out")?.Name.LocalName ?? "passed"}"
                )
        );
        Assert.StartsWith("true, the ratio is 5 (", Read(suite.Descendants("failure").Single(), "message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Broken_verdict_is_a_failure_in_JUnit()
    {
        var plan = await PlanOfAsync([]);
        var cells = Blocks(plan, [.. Wobble.Select(static by => (IReadOnlyList<double>)[30 * by, 150 * by])]);

        plan.Gates.Judge(GetResult(plan, [.. cells.Select(cell => cell.Label == "combined" ? Lose(cell) : cell)]), Summary, TextWriter.Null);

        Assert.Equal("combined", Read(XDocument.Load(JUnit).Descendants("failure").Single().Parent!, "name"));
        Assert.False(File.Exists(Summary), "a comparison without gates has no step summary");
    }

    [Fact]
    public async Task Step_summary_begins_with_the_gates_and_follows_earlier_text()
    {
        await File.WriteAllTextAsync(Summary, "earlier step\n", TestContext.Current.CancellationToken);

        await JudgeAsync("combined.rate < 6 * baseline.rate");

        var lines = await File.ReadAllLinesAsync(Summary, TestContext.Current.CancellationToken);
        Assert.Equal(["earlier step", "## Gates", "", "| gate | outcome | figures |"], lines[..4]);
        Assert.StartsWith("| combined.rate &lt; 6 \\* baseline.rate | failed | true, the ratio is 5 (", lines[5], StringComparison.Ordinal);
        Assert.Contains(lines, static line => line.StartsWith("# ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task File_that_cannot_be_written_is_reported_by_its_name_and_the_gates_still_count()
    {
        await using var error = new StringWriter();
        var plan = await PlanOfAsync(["combined.rate < 6 * baseline.rate"]);
        var result = GetResult(plan, Blocks(plan, [.. Wobble.Select(static by => (IReadOnlyList<double>)[30 * by, 150 * by])]));

        var codes = (plan.Gates with { JUnit = null }).Judge(result, folder.FullName, error);

        Assert.Equal([11, ExitCode.Of(FailureCause.NotWritable)], codes);
        Assert.Contains($"error: GITHUB_STEP_SUMMARY {folder.FullName}: ", error.ToString(), StringComparison.Ordinal);
    }

    private static string? Read(XElement element, string attribute) => (string?)element.Attribute(attribute);

    private static Lab.Results.ComparedCell Lose(Lab.Results.ComparedCell cell) =>
        cell with
        {
            Result = cell.Result! with { Safety = cell.Result!.Safety with { Verdict = Lab.Results.SafetyVerdict.Failed } },
        };

    private Task<ComparisonPlan> PlanOfAsync(IEnumerable<string> conditions) =>
        PlanAsync([
            "--strategies=baseline,combined",
            "--repeats=10",
            "--measure=5s",
            "--warm-up=2s",
            $"--junit={JUnit}",
            .. conditions.SelectMany(static condition => new[] { "--fail-if", condition }),
        ]);

    private async Task<IReadOnlyList<int>> JudgeAsync(params string[] conditions)
    {
        var plan = await PlanOfAsync(conditions);
        var blocks = Blocks(plan, [.. Wobble.Select(static by => (IReadOnlyList<double>)[30 * by, 150 * by])]);
        return plan.Gates.Judge(GetResult(plan, blocks), Summary, TextWriter.Null);
    }
}
