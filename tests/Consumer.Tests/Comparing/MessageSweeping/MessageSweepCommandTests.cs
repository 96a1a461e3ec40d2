using System.CommandLine;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Comparing.MessageSweeping;

public sealed class MessageSweepCommandTests : IDisposable
{
    private static readonly SweptMachine Machine = new(Cores: 2, MemoryGib: 16, HasTaskset: true);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("sweep-");
    private readonly List<MessageSweepPlan> plans = [];

    [Fact]
    public async Task The_default_grid_is_that_of_the_source()
    {
        Assert.Equal((0, ""), await RunAsync());

        var plan = Assert.Single(plans);
        Assert.Equal(64, plan.Points.Distinct().Count());
        Assert.Equal([8, 16, 32, 64, 96, 128, 192, 256], plan.Points.Select(static point => point.Concurrency).Distinct());
        Assert.Equal([(1, 2), (2, 2), (1, 6), (2, 6)], plan.Points.Select(static point => (point.Cores, point.MemoryGib)).Distinct());
        Assert.All(plan.Points, static point => Assert.True(point.Threads == 0 || point.Threads == point.Concurrency + 4));
        Assert.All(plan.Points, static point => Assert.Equal(("official", false), (point.Clients, point.IsFixed)));
        Assert.Equal(("processor", 4_000, false), (plan.Profile, plan.Rate, plan.Topic));
        Assert.Equal((TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(60)), (plan.WarmUp, plan.Length));
        Assert.Equal(121.2, plan.GetModel(plan.Points[0]), 1);
        Assert.Equal(plan.Points, plan.Left);
    }

    [Fact]
    public async Task A_small_machine_is_not_asked_for_what_it_has_not()
    {
        Assert.Equal((0, ""), await RunAsync(["--concurrency", "8"], new SweptMachine(1, 4, HasTaskset: true)));
        Assert.Equal([(1, 2)], plans[0].Points.Select(static point => (point.Cores, point.MemoryGib)).Distinct());
    }

    [Theory]
    [InlineData("--cores", "3", "error: --cores '3': out of range, allowed 1 to 2, the processors of this machine")]
    [InlineData("--memory", "17", "error: --memory '17': out of range, allowed 1 to 16, the GiB of this machine")]
    [InlineData("--concurrency", "0", "error: --concurrency '0': out of range, allowed 1 to 4096")]
    [InlineData("--concurrency", "8,8", "error: --concurrency '8': given twice")]
    [InlineData("--threads", "many", "error: --threads 'many': out of range, allowed default, 1 to 32767, +N, or =N from the number of cores on")]
    [InlineData("--threads", "=1", "error: --threads '=1': out of range, allowed default, 1 to 32767, +N, or =N from the number of cores on")]
    [InlineData("--clients", "mine", "error: --clients 'mine': out of range, allowed official and builtin")]
    [InlineData("--builds", "nowhere", "error: --builds 'nowhere': out of range, allowed this, or a folder that has the executable consumer")]
    [InlineData("--block-ms", "-1", "--block-ms")]
    [InlineData("--profile", "nowhere", "nowhere")]
    [InlineData("--report", "report.pdf", "error: --report report.pdf: unknown ending of a report, allowed .html, .md, .csv")]
    [InlineData("--resume", "nowhere.json", "error: --resume nowhere.json: not found")]
    public async Task An_impossible_value_is_refused_with_the_allowed_ones(string option, string value, string error)
    {
        var (code, said) = await RunAsync(option, value);
        Assert.Equal(2, code);
        Assert.Contains(error, said, StringComparison.Ordinal);
        Assert.Empty(plans);
    }

    [Fact]
    public async Task A_fixed_pool_both_families_and_handlers_that_block_can_be_chosen()
    {
        Assert.Equal(
            (0, ""),
            await RunAsync("--concurrency", "96", "--threads", "=20,+4", "--cores", "2", "--memory", "2", "--clients", "official,builtin", "--block-ms", "200")
        );

        var plan = Assert.Single(plans);
        Assert.Equal(
            [(20, true, "official"), (20, true, "builtin"), (100, false, "official"), (100, false, "builtin")],
            plan.Points.Select(static point => (point.Threads, point.IsFixed, point.Clients))
        );
        Assert.Equal(TimeSpan.FromMilliseconds(200), plan.Work.Block);
    }

    [Fact]
    public async Task Each_point_is_run_by_every_build_in_turn()
    {
        await File.WriteAllTextAsync(ProcessCommand.GetFile(folder.FullName, "consumer"), "", TestContext.Current.CancellationToken);

        Assert.Equal(
            (0, ""),
            await RunAsync(
                "--concurrency",
                "8",
                "--threads",
                "default",
                "--cores",
                "2",
                "--memory",
                "2",
                "--repeats",
                "2",
                "--builds",
                $"this,{folder.FullName}"
            )
        );

        Assert.Equal(
            [(0, null), (0, folder.FullName), (1, null), (1, folder.FullName)],
            Assert.Single(plans).Points.Select(static point => (point.Repeat, point.Build))
        );
    }

    [Fact]
    public async Task Without_taskset_nothing_is_begun()
    {
        var (code, said) = await RunAsync([], Machine with { HasTaskset = false });
        Assert.Equal(
            (2, "error: --scenario servicebus-processor: limits processors by taskset (util-linux), which was not found in PATH"),
            (code, said.Trim())
        );
        Assert.False(LimitedProcess.HasTaskset(folder.FullName));
    }

    [Fact]
    public async Task A_resumed_sweep_continues_with_points_without_figures()
    {
        var file = Write("sweep", "--scenario", "servicebus-processor", "--concurrency", "8,16,32", "--threads", "default", "--cores", "2", "--memory", "2");
        Assert.Equal((0, ""), await RunAsync("--resume", file));

        var plan = Assert.Single(plans);
        Assert.Equal([16, 32], plan.Left.Select(static point => point.Concurrency));
        Assert.All(plan.Points, static point => Assert.Equal("builtin", point.Clients));
        Assert.Equal((3, file), (plan.Points.Count, plan.Output));
    }

    [Theory]
    [InlineData("official", "official")]
    [InlineData("builtin", "builtin")]
    [InlineData("official,builtin", "official", "builtin")]
    public async Task A_resumed_sweep_without_the_option_keeps_the_clients_that_it_was_measured_with(string measured, params string[] expected)
    {
        var earlier = SweptCells.Result(["sweep", "--concurrency", "8", "--threads", "default", "--cores", "2", "--memory", "2"], SweptCells.Of(16, 118));

        Assert.Equal((0, ""), await RunAsync("--resume", Write(earlier with { Program = earlier.Program with { Clients = measured } })));

        Assert.Equal(expected, Assert.Single(plans).Points.Select(static point => point.Clients));
    }

    [Fact]
    public async Task A_finished_sweep_is_reported_with_its_own_build_and_its_file_is_kept()
    {
        var report = Path.Combine(folder.FullName, "report.md");
        var finished = SweptCells.Result(["sweep", "--concurrency", "8", "--threads", "default", "--cores", "2", "--memory", "2"], SweptCells.Of(8, 118));
        finished = finished with
        {
            Sweep = finished.Sweep with { Complete = true },
            Program = finished.Program with { Commit = "0123456789abcdef", Dirty = false },
        };
        var file = Write(finished);
        var before = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);

        Assert.Equal((0, ""), await RunAsync("--resume", file, "--report", report));
        using var signals = new StopSignals(_ => { }, _ => { });
        var console = new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null);
        Assert.Equal(0, await new MessageSweepRun(Assert.Single(plans), console, signals, TimeProvider.System).RunAsync());

        Assert.Equal(before, await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
        Assert.Contains("commit 0123456789abcdef", await File.ReadAllTextAsync(report, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_that_the_result_names_are_not_written()
    {
        var (evil, report) = (Path.Combine(folder.FullName, "evil.json"), Path.Combine(folder.FullName, "evil.html"));
        var file = Write("sweep", "--scenario", "servicebus-processor", "--concurrency", "8", "--output", evil, "--report", report);

        var (code, said) = await RunAsync("--resume", file);

        Assert.Equal((0, $"sweep: ignored, because the result names no output file: --output {evil} and --report {report}"), (code, said.Trim()));
        Assert.Equal((file, null), (Assert.Single(plans).Output, plans[0].Report));
    }

    [Fact]
    public async Task A_resumed_sweep_refuses_options_that_the_file_has_and_a_file_of_another_kind()
    {
        var file = Write("sweep", "--scenario", "servicebus-processor", "--concurrency", "8");
        Assert.Equal(
            (2, "error: --resume: cannot be combined with --rate, which the file contains"),
            Trimmed(await RunAsync("--resume", file, "--rate", "10"))
        );
        await File.WriteAllTextAsync(file, """{"comparison":{"schema":1}}""", TestContext.Current.CancellationToken);
        var (code, said) = await RunAsync("--resume", file);
        Assert.Equal(2, code);
        Assert.Contains("incomplete, or not a result of --scenario servicebus-processor", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_sweep_runs_on_a_separate_emulator()
    {
        var (code, said) = await RunAsync([], Machine, static name => name == "EVENTHUB_NAME" ? "hub" : null);
        Assert.Equal(2, code);
        Assert.Contains("connection settings are set in the environment", said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "sweep", "--scenario", "servicebus-processor")]
    [InlineData(true, "sweep", "--scenario=servicebus-processor", "--cores", "1")]
    [InlineData(false, "sweep", "--scenario", "mine.json")]
    [InlineData(false, "compare", "--scenario", "servicebus-processor")]
    [InlineData(false, "sweep")]
    public void The_message_sweep_is_selected_by_its_scenario_alone(bool meant, params string[] args) => Assert.Equal(meant, MessageSweepCommand.IsMeant(args));

    public void Dispose() => folder.Delete(recursive: true);

    private static (int Code, string Error) Trimmed((int Code, string Error) answer) => (answer.Code, answer.Error.Trim());

    private string Write(params string[] arguments) => Write(SweptCells.Result(arguments, SweptCells.Of(8, 118), SweptCells.Of(16, null)));

    private string Write(MessageSweepResult result)
    {
        var file = Path.Combine(folder.FullName, "sweep.json");
        File.WriteAllBytes(file, JsonSerializer.SerializeToUtf8Bytes(result, MessageSweepContext.Default.MessageSweepResult));
        return file;
    }

    private Task<(int Code, string Error)> RunAsync(params string[] arguments) => RunAsync(arguments, Machine);

    private async Task<(int Code, string Error)> RunAsync(string[] arguments, SweptMachine machine, Func<string, string?>? environment = null)
    {
        using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, environment ?? (static _ => null));
        var root = new RootCommand("test");
        root.Subcommands.Add(
            MessageSweepCommand.Create(
                console,
                plan =>
                {
                    plans.Add(plan);
                    return Task.FromResult(0);
                },
                machine
            )
        );
        var code = await CommandHost.RunAsync(
            root,
            ["sweep", "--scenario", "servicebus-processor", .. arguments],
            console,
            TestContext.Current.CancellationToken
        );
        return (code, error.ToString());
    }
}
