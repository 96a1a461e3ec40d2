using System.Xml.Linq;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// The sample of a workflow, run by bash as GitHub Actions does. Only <c>dotnet build</c> is replaced: it takes the programs that are built already. Ten blocks
/// take minutes, so the comparison is interrupted after its third cell.
/// </summary>
public sealed class WorkflowTests : IDisposable
{
    private const string Short = "--repeats 10 --profile article --degree 16 --warm-up 50ms --measure 200ms";

    private static readonly WorkflowFile Sample = WorkflowFile.Read(RepositoryFiles.GetPath("samples", "github-workflow", "compare.yml"));

    private readonly TemporaryFolder folder = new();

    // Reads the progress, and sends the signal of Ctrl+C. A shell starts programs in the background without it.
    private const string Interrupted = """
        mkfifo "$RUNNER_TEMP/errors"
        env --default-signal=INT "$CONSUMER" "$@" 2> "$RUNNER_TEMP/errors" &
        while read -r line; do
            echo "$line" >&2
            case $line in *'[3/30]'*) kill -INT $! ;; esac
        done < "$RUNNER_TEMP/errors"
        wait $!
        """;

    [Fact]
    public async Task Every_step_runs_and_leaves_gates_reports_and_a_step_summary()
    {
        SkipOnWindows();
        var head = await RunAsync("git rev-parse HEAD", new Dictionary<string, string>());
        var variables = await PrepareAsync(("STRATEGIES", "pipelined"), ("OPTIONS", Short), ("BASE", head.Output.Trim()));
        variables["CONSUMER"] = ProcessCommand.GetFile(AppContext.BaseDirectory, "consumer");

        Assert.Equal(["Build the base", "Build the pull request", "Compare"], Sample.Scripts.Select(static step => step.Name));
        foreach (var (name, script) in Sample.Scripts.SkipLast(1))
        {
            var built = await RunAsync(script, variables);
            Assert.True(built.ExitCode == 0, $"{name}: {built.Error}");
        }

        Assert.Equal(
            [
                $"build {folder.File("temp/base/src/Consumer")} --configuration Release --output {folder.File("temp/before")}",
                $"build src/Consumer --configuration Release --output {folder.File("temp/after")}",
            ],
            await File.ReadAllLinesAsync(folder.File("builds"), Cancelled)
        );
        Assert.True(File.Exists(folder.File("temp/base/src/Consumer/Consumer.csproj")));

        Directory.Delete(folder.File("temp/after"));
        await WriteConsumerAsync(Interrupted);
        var compared = await RunAsync(Sample.Scripts[^1].Script, variables);

        // Interrupted with a gate that is not decided.
        Assert.True(compared.ExitCode == 0, $"{compared.ExitCode}: {compared.Output}{compared.Error}");
        Assert.Contains("::warning::pipelined: undecided, the step summary has the reason\n", compared.Output, StringComparison.Ordinal);
        var suite = XDocument.Parse(await ReadAsync("temp/compare/pipelined.xml")).Descendants("testcase").ToList();
        Assert.Equal(["verdict", "verdict", "gate"], suite.Select(static one => (string?)one.Attribute("classname")));
        // On a busy machine the runs of the complete block may also vary too much.
        Assert.Matches("^(undecided|noisy), ", (string?)suite[^1].Element("error")?.Attribute("message"));
        Assert.StartsWith("## Gates\n\n| gate | outcome | figures |\n", await ReadAsync("summary.md"), StringComparison.Ordinal);
        Assert.StartsWith("<!DOCTYPE html>", await ReadAsync("temp/compare/pipelined.html"), StringComparison.Ordinal);
        var result = ResultJson.Read<ComparisonResult>(await File.ReadAllBytesAsync(folder.File("temp/compare/pipelined.json"), Cancelled));
        Assert.Contains($"pipelined:build={folder.File("temp/before")}", result.Settings.Strategies);
        Assert.InRange(result.Cells.Count, 3, 29);
        Assert.All(result.Cells, static cell => Assert.Equal(SafetyVerdict.Clean, cell.Result!.Safety.Verdict));
    }

    [Theory]
    [InlineData("0", "0", 0, "")]
    [InlineData("11", "0", 11, "::error::combined is slower than at the base\n")]
    [InlineData("0", "11", 11, "::error::pipelined is slower than at the base\n")]
    [InlineData("12", "0", 0, "::warning::combined: undecided, the step summary has the reason\n")]
    [InlineData("2", "12", 2, "::error::combined: the comparison ended with exit code 2\n::warning::pipelined: undecided, the step summary has the reason\n")]
    public async Task A_slowdown_and_a_failure_fail_the_job_and_an_undecided_gate_warns(string combined, string pipelined, int expected, string annotations)
    {
        SkipOnWindows();
        var variables = await PrepareAsync();
        await WriteConsumerAsync($"case \"$*\" in *,combined\\ *) exit {combined};; *,pipelined\\ *) exit {pipelined};; esac; exit 99");

        var step = await RunAsync(Sample.Scripts[^1].Script, variables);

        Assert.Equal((expected, annotations), (step.ExitCode, step.Output));
    }

    public void Dispose() => folder.Dispose();

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private static void SkipOnWindows() => Assert.SkipWhen(OperatingSystem.IsWindows(), "the steps are scripts for bash");

    private async Task<Dictionary<string, string>> PrepareAsync(params (string Name, string Value)[] changed)
    {
        Directory.CreateDirectory(folder.File("temp"));
        Directory.CreateDirectory(folder.File("bin"));
        await WriteScriptAsync("bin/dotnet", $"echo \"$*\" >> {folder.File("builds")}; exec ln -s {AppContext.BaseDirectory} \"${{@: -1}}\"");
        var variables = new Dictionary<string, string>(Sample.Variables, StringComparer.Ordinal)
        {
            ["GITHUB_WORKSPACE"] = RepositoryFiles.GetPath("."),
            ["GITHUB_STEP_SUMMARY"] = folder.File("summary.md"),
            ["RUNNER_TEMP"] = folder.File("temp"),
            ["BASE"] = "HEAD",
            ["PATH"] = $"{folder.File("bin")}:{Environment.GetEnvironmentVariable("PATH")}",
        };
        foreach (var (name, value) in changed)
        {
            Assert.True(variables.ContainsKey(name), name);
            variables[name] = value;
        }

        Assert.DoesNotContain(variables.Values, static value => value.Contains("${{", StringComparison.Ordinal));
        return variables;
    }

    // The shell of GitHub Actions unless a step names another one.
    private async Task<FinishedProcess> RunAsync(string script, IReadOnlyDictionary<string, string> variables)
    {
        await WriteAsync("step.sh", script);
        await using var running = RunningProcess.Start(
            new ProcessCommand("bash", "-e", folder.File("step.sh")) { Variables = variables, Folder = RepositoryFiles.GetPath(".") }
        );
        return await running.EndAsync(Cancelled);
    }

    private Task WriteConsumerAsync(string script)
    {
        Directory.CreateDirectory(folder.File("temp/after"));
        return WriteScriptAsync("temp/after/consumer", script);
    }

    private async Task WriteScriptAsync(string name, string script)
    {
        await WriteAsync(name, $"#!/usr/bin/env bash\n{script}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(folder.File(name), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private Task WriteAsync(string name, string text) => File.WriteAllTextAsync(folder.File(name), text, Cancelled);

    private Task<string> ReadAsync(string name) => File.ReadAllTextAsync(folder.File(name), Cancelled);
}
