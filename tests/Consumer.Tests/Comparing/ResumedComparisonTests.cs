using System.CommandLine;
using System.Net;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Processes;
using EventHubThroughput.Telemetry;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Consumer.Tests.Comparing;

/// <summary>A result is data: what it names is neither run nor loaded nor written.</summary>
public sealed class ResumedComparisonTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("resumed-");
    private readonly List<ComparisonPlan> plans = [];

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task A_resumed_comparison_continues_without_the_files_that_the_result_names()
    {
        var file = await SaveAsync(complete: false, "--output", In("evil.json"), "--report", In("evil.html"), "--keep", In("evil"), "--seed", "7");

        var (code, error, _) = await RunAsync("--resume", file);

        Assert.Equal(
            (
                0,
                $"compare: ignored, because the result names no output file: --output {In("evil.json")} and --report {In("evil.html")} and --keep {In("evil")}\n"
            ),
            (code, error)
        );
        var plan = Assert.Single(plans);
        Assert.Equal((file, null, null, 7), (plan.Output, plan.Report, plan.Load.Keep, plan.Seed));
        Assert.Equal(["compare", "--strategies", "baseline,outloop", "--seed", "7"], plan.Arguments);
    }

    [Fact]
    public async Task Files_that_the_command_line_names_are_written()
    {
        var file = await SaveAsync(complete: false, "--report", In("old.html"));

        Assert.Equal(
            (0, ""),
            (await RunAsync("--resume", file, "--report", In("new.html"), "--output", In("new.json"))) is var (code, error, _) ? (code, error) : default
        );

        Assert.Equal((In("new.json"), In("new.html")), (Assert.Single(plans).Output, plans[0].Report));
    }

    [Fact]
    public async Task A_result_opens_no_port_and_lists_itself_in_no_folder()
    {
        var file = await SaveAsync(complete: false, "--metrics-host", "0.0.0.0", "--metrics-port", "9000", "--metrics-targets", In("evil"));

        var (code, error, _) = await RunAsync("--resume", file, "--linger", "1s");

        Assert.Equal((0, $"compare: ignored, because the result names no output file: --metrics-targets {In("evil")}\n"), (code, error));
        var metrics = Assert.Single(plans).Metrics!;
        Assert.Equal(
            (IPAddress.Loopback, null, TargetList.UsualFolder, TimeSpan.FromSeconds(1)),
            (metrics.Address, metrics.Port, metrics.Targets, metrics.Linger)
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task JUnit_file_of_the_command_line_is_written_and_not_that_of_the_result(bool complete)
    {
        var file = await SaveAsync(complete, "--junit", In("evil.xml"));

        var (code, error, _) = await RunAsync("--resume", file, "--junit", In("mine.xml"));

        Assert.Equal(0, code);
        Assert.DoesNotContain("error: ", error, StringComparison.Ordinal);
        Assert.Equal((false, complete), (File.Exists(In("evil.xml")), File.Exists(In("mine.xml"))));
        Assert.Equal(complete ? [] : [In("mine.xml")], plans.Select(static plan => plan.Gates.JUnit));
    }

    [Fact]
    public async Task A_resumed_comparison_requires_that_code_is_named_again()
    {
        var build = BuildIn("old");
        var file = await SaveAsync(
            complete: false,
            ["--strategies", $"baseline,outloop:build={build}", "--strategy-assembly", In("a.dll"), "--sink-assembly", In("b.dll")]
        );

        var (code, error, _) = await RunAsync("--resume", file);

        Assert.Equal(
            (
                2,
                $"error: --resume {file}: the remaining cells need --strategy-assembly {In("a.dll")} and --sink-assembly {In("b.dll")} and --strategies outloop:build={build}. A result cannot name code, so name it on the command line\n"
            ),
            (code, error)
        );
        Assert.Empty(plans);
    }

    [Fact]
    public async Task Code_that_is_named_again_is_taken_from_the_command_line()
    {
        var build = BuildIn("old");
        var strategies = $"baseline,outloop:build={build}";
        var file = await SaveAsync(complete: false, "--strategies", strategies, "--strategy-assembly", In("theirs.dll"));

        var (code, error, _) = await RunAsync("--resume", file, "--strategies", strategies, "--strategy-assembly", In("mine.dll"));

        Assert.Equal((0, ""), (code, error));
        Assert.Equal([null, build], Assert.Single(plans).Configurations.Select(static one => one.Build));
        Assert.Equal(["compare", "--strategies", strategies, "--strategy-assembly", In("mine.dll")], plans[0].Arguments);
    }

    [Fact]
    public async Task Other_strategies_than_those_of_the_result_are_refused()
    {
        var file = await SaveAsync(complete: false, "--strategies", "baseline,outloop");

        var (code, error, _) = await RunAsync("--resume", file, "--strategies", "baseline,inloop");

        Assert.Equal((2, $"error: --resume {file}: --strategies differs from the result, which has baseline,outloop\n"), (code, error));
    }

    [Fact]
    public async Task An_argument_of_a_result_is_not_read_as_a_file_of_arguments()
    {
        await File.WriteAllTextAsync(In("more"), "--seed\n9\n", TestContext.Current.CancellationToken);
        var file = await SaveAsync(complete: false, $"@{In("more")}");

        var (code, error, _) = await RunAsync("--resume", file);

        Assert.Equal(2, code);
        Assert.Contains($"'@{In("more")}'", error, StringComparison.Ordinal);
        Assert.Empty(plans);
    }

    [Fact]
    public async Task A_complete_one_is_reported_without_any_of_its_code_and_its_file_stays_as_it_is()
    {
        var file = await SaveAsync(
            complete: true,
            "--strategies",
            $"baseline,outloop:build={BuildIn("old")}",
            "--strategy-assembly",
            In("a.dll"),
            "--report",
            In("evil.md"),
            "--repeats",
            "5",
            "--fail-if",
            "baseline.rate < 1"
        );
        var before = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);

        var (code, error, output) = await RunAsync("--resume", file, "--report", In("mine.md"));

        Assert.Equal(12, code);
        Assert.Contains("no cell is run", error, StringComparison.Ordinal);
        Assert.Contains("gate: baseline.rate < 1: undecided", error, StringComparison.Ordinal);
        Assert.Contains("baseline", output, StringComparison.Ordinal);
        Assert.Equal(before, await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
        Assert.True(File.Exists(In("mine.md")));
        Assert.False(File.Exists(In("evil.md")));
        Assert.Empty(plans);
    }

    [Fact]
    public async Task An_interrupted_comparison_prints_what_must_be_named_again()
    {
        var plan = await PlanAsync("--strategies=baseline,outloop");
        var result = GetResult(
            plan with
            {
                Arguments = ["compare", "--strategies", "baseline,outloop:build=/old", "--sink-assembly", "my sinks.dll", "--output", "a.json"],
            },
            [],
            complete: false
        );
        await using var error = new StringWriter();

        ComparisonFiles.Write(In("r.json"), In("r.html"), result, error);

        Assert.EndsWith(
            $"again: consumer compare --resume {In("r.json")} --report {In("r.html")} --sink-assembly 'my sinks.dll' --strategies baseline,outloop:build=/old",
            error.ToString().TrimEnd(),
            StringComparison.Ordinal
        );
    }

    private string In(string name) => Path.Combine(folder.FullName, name);

    private string BuildIn(string name)
    {
        var build = Directory.CreateDirectory(In(name)).FullName;
        File.WriteAllText(ProcessCommand.GetFile(build, "consumer"), "");
        return build;
    }

    [Fact]
    public async Task Cells_of_another_build_are_not_gone_on_with()
    {
        var plan = await PlanAsync("--strategies=baseline,outloop", "--repeats=5");
        var file = In("result.json");
        ResultFile.Write(
            file,
            GetResult(plan with { Arguments = ["compare", "--strategies", "baseline,outloop", "--repeats", "5"] }, Blocks(plan, [30, 150]), complete: false)
        );

        var (code, error, _) = await RunAsync("--resume", file);

        Assert.Equal(2, code);
        Assert.StartsWith($"error: --resume {file}: its cells come from another build or machine (build 1.2.3, commit abc", error, StringComparison.Ordinal);
        Assert.EndsWith("Allowed is the same build on the same machine\n", error, StringComparison.Ordinal);
        Assert.Empty(plans);
    }

    [Fact]
    public async Task Cells_of_this_build_and_machine_are_gone_on_with()
    {
        var plan = await PlanAsync("--strategies=baseline,outloop", "--repeats=5");
        var result = GetResult(plan, Blocks(plan, [30, 150]), complete: false);
        var (program, machine) = (result.Cells[0].Result!.Program, result.Cells[0].Result!.Machine);

        Assert.Empty(CellOrigin.Differences(result, program, machine, []));
        Assert.Equal(
            ["build 1.2.3, commit abc instead of 1.2.3, commit abd"],
            CellOrigin
                .Differences(result, program with { Commit = "abd", Dirty = false }, machine, [])
                .Select(static one => one.Replace(" with changes on top", ""))
        );
        Assert.Equal(["the same build with other packages"], CellOrigin.Differences(result, program with { PackageLockSha256 = "other" }, machine, []));
        Assert.Equal(
            [$"processor {machine.CpuModel ?? "unknown"} instead of other", $"processors {machine.ProcessorCountSeen} instead of 999"],
            CellOrigin.Differences(result, program, machine with { CpuModel = "other", ProcessorCountSeen = 999 }, [])
        );
        Assert.Empty(CellOrigin.Differences(result, program with { Commit = "abd" }, machine, ["baseline", "outloop"]));
    }

    private async Task<string> SaveAsync(bool complete, params string[] arguments)
    {
        var plan = await PlanAsync("--strategies=baseline,outloop", "--repeats=5");
        string[] strategies = arguments.Contains("--strategies") ? [] : ["--strategies", "baseline,outloop"];
        var cells = complete ? Blocks(plan, [30, 150]) : [];
        var file = In("result.json");
        ResultFile.Write(file, GetResult(plan with { Arguments = ["compare", .. strategies, .. arguments] }, cells, complete));
        return file;
    }

    private async Task<(int Code, string Error, string Output)> RunAsync(params string[] arguments)
    {
        await using var error = new StringWriter { NewLine = "\n" };
        await using var output = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, static _ => null);
        var root = new RootCommand("test");
        root.Subcommands.Add(
            CompareCommand.Create(
                console,
                ComparisonForm.Compare,
                plan =>
                {
                    plans.Add(plan);
                    return Task.FromResult(0);
                }
            )
        );
        var code = await CommandHost.RunAsync(root, ["compare", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, error.ToString(), output.ToString());
    }
}
