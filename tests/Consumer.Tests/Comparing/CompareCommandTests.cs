using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Processes;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Comparing;

public sealed class CompareCommandTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("compare-");
    private readonly List<ComparisonPlan> plans = [];

    [Fact]
    public async Task The_strategies_of_the_article_and_pipelined_are_compared_once_by_default()
    {
        Assert.Equal((0, ""), await RunAsync());

        var plan = Assert.Single(plans);
        Assert.Equal(["baseline", "inloop", "outloop", "combined", "pipelined"], plan.Configurations.Select(static one => one.Label));
        Assert.Equal("baseline", plan.Reference.Label);
        Assert.Equal((1, 1, 1, 6), (plan.Repeats, plan.Seed, plan.MostBlocks, plan.CellsOfBlock));
        Assert.Equal((TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5)), (plan.WarmUp, plan.Length));
        Assert.Equal(("article-spread", 1, 0), (plan.Load.Profile, plan.Load.Partitions, plan.Load.Keys));
        Assert.All(
            plan.Configurations,
            static one =>
                Assert.Equal((64, 10, 300), (one.Options.Processing.MaxConcurrency, one.Options.Processing.BatchSize, one.Options.Processing.Prefetch))
        );
        Assert.Equal(["compare"], plan.Arguments);
    }

    [Fact]
    public async Task Measures_longer_what_is_to_be_published()
    {
        await RunAsync("--repeats=10");
        await RunAsync("--repeats=10", "--measure=1s");

        Assert.Equal((TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(30), 20), (plans[0].WarmUp, plans[0].Length, plans[0].MostBlocks));
        Assert.Equal((TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(1)), (plans[1].WarmUp, plans[1].Length));
    }

    [Fact]
    public async Task An_option_of_one_strategy_overrides_the_option_of_all()
    {
        Assert.Equal(
            (0, ""),
            await RunAsync(
                "--strategies=combined,combined:degree=8:batch=100,batched:batch-linger=5,batched",
                "--degree=32",
                "--batch-linger=1",
                "--checkpoint-events=500"
            )
        );

        var options = Assert.Single(plans).Configurations.Select(static one => one.Options.Processing).ToList();
        Assert.Equal([(32, 10), (8, 100), (32, 10), (32, 10)], options.Select(static one => (one.MaxConcurrency, one.BatchSize)));
        Assert.All(options, static one => Assert.Equal(500, one.Checkpoints.Events));
        Assert.Empty(options[0].StrategyOptions);
        Assert.Equal([5, 1], options.Skip(2).Select(static one => one.StrategyOptions["batch-linger"]));
    }

    [Fact]
    public async Task Partitions_and_clients_are_settings_of_one_as_well()
    {
        Assert.Equal((0, ""), await RunAsync("--strategies=combined,combined:partitions=4,combined:clients=builtin:degree=8", "--partitions=2"));

        var plan = Assert.Single(plans);
        Assert.Equal(
            [(2, "official", 64), (4, "official", 64), (2, "builtin", 8)],
            plan.Configurations.Select(static one => (one.Partitions, one.Options.Clients.Name, one.Options.Processing.MaxConcurrency))
        );
        Assert.Equal([4], EmulatorCells.GetFurther(plan));
        Assert.Equal([2, 4, 2], plan.Configurations.Select(one => one.GetLoad(plan).Partitions));
    }

    [Fact]
    public async Task Another_build_is_a_setting_of_one_as_well()
    {
        await File.WriteAllTextAsync(ProcessCommand.GetFile(folder.FullName, "consumer"), "", TestContext.Current.CancellationToken);

        Assert.Equal((0, ""), await RunAsync($"--strategies=combined,combined:build={folder.FullName}:degree=8", "--repeats=10", "--fail-if-slower=7.5"));

        var plan = Assert.Single(plans);
        Assert.Equal([(null, 64), (folder.FullName, 8)], plan.Configurations.Select(static one => (one.Build, one.Options.Processing.MaxConcurrency)));
        Assert.Equal(0.075, plan.Gates.Slowdown);
    }

    [Fact]
    public async Task Compares_everything_that_loses_nothing_by_one_word()
    {
        await RunAsync("--strategies=all");

        Assert.Equal(StrategyCatalog.Safe, Assert.Single(plans).Configurations.Select(static one => one.Options.Processing.Strategy));
    }

    [Fact]
    public async Task Fills_the_hub_with_more_than_the_fastest_can_process()
    {
        await RunAsync("--profile=article", "--strategies=baseline,pipelined");
        await RunAsync("--events=77");

        // The article's sender takes 301 events a second at most.
        Assert.InRange(plans[0].Load.Events, 301 * 7, 301 * 7 * 2);
        Assert.Equal(77, plans[1].Load.Events);
    }

    [Theory]
    [InlineData("--repeats=0", "error: --repeats 0: out of range, allowed 1 to 100")]
    [InlineData("--measure=1ms", "error: --measure 1ms: out of range, allowed 100ms to 24h")]
    [InlineData("--strategies=baseline,pipelind", "error: --strategies 'pipelind': --strategy 'pipelind': unknown")]
    [InlineData("--strategies=baseline,baseline", "error: --strategies 'baseline': named twice")]
    [InlineData("--strategies=combined:degree=0", "error: --strategies 'combined:degree=0': --degree 0: out of range, allowed 1 to 4096")]
    [InlineData(
        "--strategies=combined:degree",
        "error: --strategies 'combined:degree': 'degree': write it as name=value, as in pipelined:degree=128:batch=100"
    )]
    [InlineData(
        "--strategies=combined:profile=none",
        "error: --strategies 'combined:profile=none': 'profile': not an option of a strategy. Known: partitions, build, sink, clients"
    )]
    [InlineData(
        "--strategies=combined:batch-linger=5",
        "error: --strategies 'combined:batch-linger=5': --batch-linger: strategy combined has no such option, only batched"
    )]
    [InlineData("--strategies=pipelined:window=8", "error: --strategies 'pipelined:window=8': --window 8: smaller than --degree 64")]
    [InlineData("--strategies=baseline,whenall", "error: --strategies 'whenall': --strategy whenall: unsafe, allowed only with --unsafe")]
    [InlineData("--report=x.pdf", "error: --report x.pdf: unknown ending of a report, allowed .html, .md, .csv")]
    [InlineData("--against=x.json", "error: --against: needs an interval, which requires --repeats 5 or more, not 1")]
    [InlineData("--fail-if=combined.rate < baseline.rate", "error: --fail-if: needs an interval, which requires --repeats 5 or more, not 1")]
    [InlineData("--rate=1", "error: --rate 1/s: 5 events in --measure 5s, a median needs 22")]
    [InlineData("--rate=100,200@7s", "error: --rate 100/s,200/s@7s: a cell ends after 7s (--warm-up and --measure), before its last rate begins")]
    [InlineData("--rate=0", "error: --rate 0: out of range, allowed 0.001/s to 1000000/s")]
    [InlineData("--strategies=combined:partitions=0", "error: --strategies 'combined:partitions=0': --partitions 0: out of range, allowed 1 to 1024")]
    [InlineData("--price-per-10000-operations=-1", "error: --price-per-10000-operations -1: out of range, allowed 0 to 1000000")]
    [InlineData("--profile=fast", "error: --profile 'fast': unknown. Known: none, article")]
    [InlineData("--sustainable --rate=10", "error: --rate: cannot be combined with --sustainable, which chooses the rates")]
    [InlineData("--sustainable --events=9", "error: --events: cannot be combined with --sustainable, which sends during the whole measurement")]
    [InlineData("--sustainable --measure=4s", "error: --sustainable: needs --measure 5s or more to see a growing lag, not 4s")]
    [InlineData("--fail-if-slower=10", "error: --fail-if-slower: needs an interval, which requires --repeats 5 or more, not 1")]
    [InlineData("--repeats=5 --fail-if-slower=10", "error: --fail-if-slower: requires --repeats 10 or more, not 5")]
    [InlineData("--fail-if-slower=3", "error: --fail-if-slower 3: out of range, allowed 5 to 90")]
    [InlineData(
        "--strategies=combined,combined:build=no-such-folder",
        "error: --strategies 'combined:build=no-such-folder': --build no-such-folder: no such folder, allowed is the folder of a build of this program"
    )]
    [InlineData(
        "--strategies=combined:build=/",
        "error: --strategies 'combined:build=/': --build /: has no executable consumer, allowed is the folder of a build of this program"
    )]
    [InlineData("--follow", "error: --follow: unknown option")]
    public async Task Refuses_what_it_cannot_do(string argument, string expected)
    {
        var (code, error) = await RunAsync(argument.Split(" --") is [var one, var other] ? [one, $"--{other}"] : [argument]);

        Assert.Equal(2, code);
        Assert.StartsWith(expected, error, StringComparison.Ordinal);
        Assert.Empty(plans);
    }

    [Theory]
    [InlineData("--events=900", "error: --events: cannot be combined with --rate, which sends during the whole measurement")]
    [InlineData("--input=x.jsonl", "error: --input: cannot be combined with --rate, which needs an endless supply of events")]
    [InlineData("--measure=24h", "error: --rate 1000/s: 86,402,000 events a cell, at most 10,000,000")]
    public async Task Refuses_beside_a_rate_what_contradicts_it(string argument, string expected)
    {
        var (code, error) = await RunAsync("--rate=1000", argument);

        Assert.Equal(2, code);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("50", "P50", 250)]
    [InlineData("300", "P99", 1500)]
    [InlineData("10,1000@6s", "P50", 1040)]
    public async Task Events_at_a_rate_are_compared_by_their_tail_where_there_are_enough_of_them(string rate, string by, int measured)
    {
        await RunAsync($"--rate={rate}");

        var plan = Assert.Single(plans);
        Assert.Equal((by, measured, true), (plan.By.ToString(), plan.EventsMeasured, plan.IsOpenLoop));
    }

    [Theory]
    [InlineData("combined.rate", "'combined.rate': write it as outloop.rate < 0.95 * baseline.rate or pipelined.p99 > 50")]
    [InlineData("combined.rate <= 5", "'combined.rate <= 5': write it as")]
    [InlineData("combined.rate < 0", "'combined.rate < 0': '0' is not a number above 0")]
    [InlineData("combind.rate < 5", "'combind.rate < 5': 'combind' is not compared, allowed baseline, inloop, outloop, combined, pipelined")]
    [InlineData(
        "combined.speed < 5",
        "'combined.speed < 5': 'speed' is not a figure, allowed rate, p50, p99, endtoend50, endtoend99, endtoend999, cpu, allocated, memory"
    )]
    [InlineData("combined.rate < 2 * combined.rate", "'combined.rate < 2 * combined.rate': both sides are the same, combined.rate")]
    public async Task Refuses_a_condition_that_is_none(string condition, string expected)
    {
        var (code, error) = await RunAsync("--repeats=5", $"--fail-if={condition}");

        Assert.Equal(2, code);
        Assert.StartsWith($"error: --fail-if {expected}", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reads_conditions_with_and_without_a_factor()
    {
        await RunAsync(
            "--repeats=5",
            "--strategies=baseline,combined:degree=8",
            "--fail-if=combined:degree=8.rate<0.95*baseline.rate",
            "--fail-if=baseline.p99 > 5e1"
        );

        var gates = Assert.Single(plans).Gates.Conditions;
        Assert.Equal(
            ("combined:degree=8", "rate", true, 0.95, "baseline"),
            (gates[0].Label, gates[0].Figure.Name, gates[0].IsBelow, gates[0].Factor, gates[0].Other)
        );
        Assert.Equal(("baseline", "p99", false, 50, null), (gates[1].Label, gates[1].Figure.Name, gates[1].IsBelow, gates[1].Factor, gates[1].Other));
    }

    [Fact]
    public async Task Lists_what_is_wrong_with_each_of_them()
    {
        var (_, error) = await RunAsync("--strategies=combined:degree=0:batch=0,keyed:window=1", "--seed=-1");

        Assert.Equal(4, error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Fact]
    public async Task Allows_the_unsafe_ones_where_they_are_asked_for()
    {
        Assert.Equal((0, ""), await RunAsync("--strategies=baseline,whenall", "--unsafe"));
        Assert.All(Assert.Single(plans).Configurations, static one => Assert.True(one.Options.Processing.AllowUnsafe));
    }

    [Fact]
    public async Task A_scenario_can_set_what_the_command_line_sets_and_the_command_line_wins()
    {
        var file = Save(
            """
            {
              "strategies": ["baseline", "pipelined:degree=8"],
              "repeats": 5,
              "seed": 7,
              "measure": "1s",
              "checkpoint-events": 50,
              "no-fencing": true,
              "fail-if": ["pipelined:degree=8.rate < 2 * baseline.rate", "baseline.p99 > 90"],
              "skew": 0.5,
              "keys": 12
            }
            """
        );

        Assert.Equal((0, ""), await RunAsync("--scenario", file, "--seed=9"));

        var plan = Assert.Single(plans);
        Assert.Equal(["baseline", "pipelined:degree=8"], plan.Configurations.Select(static one => one.Label));
        Assert.Equal((5, 9, TimeSpan.FromSeconds(1)), (plan.Repeats, plan.Seed, plan.Length));
        Assert.Equal((12, 0.5, 2), (plan.Load.Keys, plan.Load.KeySkew, plan.Gates.Conditions.Count));
        Assert.All(plan.Configurations, static one => Assert.Equal((50, false), (one.Options.Processing.Checkpoints.Events, one.Options.Processing.Fencing)));
        Assert.DoesNotContain("--scenario", plan.Arguments);
        Assert.Equal("compare", plan.Arguments[0]);
    }

    [Theory]
    [InlineData("""{ "strategis": ["baseline"] }""", "'strategis': unknown")]
    [InlineData("""{ "repeats": 0 }""", "--repeats 0: out of range, allowed 1 to 100")]
    [InlineData("""{ "strategies": ["nosuch"] }""", "--strategies 'nosuch': --strategy 'nosuch': unknown")]
    [InlineData("""{ "fail-if": "baseline.rate < 1" }""", "--fail-if: needs an interval")]
    [InlineData("""{ "repeats": """, "error: ")]
    public async Task Refuses_a_scenario_that_names_what_there_is_not(string text, string expected)
    {
        var (code, error) = await RunAsync("--scenario", Save(text));

        Assert.Equal(2, code);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.Empty(plans);
    }

    [Theory]
    [InlineData("--degree=0", "--degree 0: out of range, allowed 1 to 4096")]
    [InlineData("--strategies=batched --batch-linger=100000", "--batch-linger 100000: out of range, allowed 0 to 1000")]
    public async Task A_wrong_value_for_all_is_reported_once(string arguments, string expected) =>
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync(arguments.Split(' ')));

    [Fact]
    public async Task Settings_that_are_not_complete_are_refused()
    {
        var (code, error) = await RunAsync([], static name => name == "EVENTHUB_NAME" ? "hub" : null);

        Assert.Equal(2, code);
        Assert.Contains("error: EVENTHUB_CONNECTION_STRING: not set\n", error, StringComparison.Ordinal);
        Assert.Contains("Unset it for an embedded run", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Complete_settings_are_the_services_of_the_comparison()
    {
        Assert.Equal((0, ""), await RunAsync(["--events=10", "--yes"], FindService));

        var services = Assert.Single(plans).Services!;
        Assert.Equal((true, true, "official"), (services.IsConfirmed, services.HasEvents, services.Clients.Name));
        Assert.Equal(("bus.example", "account.example"), (services.Described.EventHubs, services.Described.Storage));
    }

    [Theory]
    [InlineData("--profile=none", "--profile: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData("--topic", "--topic: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData("--faults=F13", "--faults: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData("--partitions=4", "--partitions: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData("--emulator-ceiling=9", "--emulator-ceiling: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData("--start-limit=9s", "--start-limit: belongs to the emulator, but connection settings are set in the environment")]
    [InlineData(
        "--strategies=combined:partitions=2",
        "'combined:partitions=2': partitions fills a second hub of the emulator, but connection settings are set in the environment"
    )]
    [InlineData(
        "--sustainable",
        "--sustainable: the number of its events is not known before, so it runs on the emulator only. Compare chosen rates with --rate"
    )]
    public async Task What_belongs_to_the_emulator_is_refused_on_services(string argument, string expected) =>
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync([argument], FindService));

    [Theory]
    [InlineData("--yes", "--yes: no connection settings are set in the environment")]
    [InlineData("--entities=x.json", "--entities: no connection settings are set in the environment")]
    public async Task What_belongs_to_services_is_refused_without_settings(string argument, string expected) =>
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync(argument));

    [Fact]
    public async Task A_key_of_one_queue_cannot_be_used_for_those_of_the_cells()
    {
        var (code, error) = await RunAsync(
            [],
            static name => name == "SERVICEBUS_CONNECTION_STRING" ? $"{FindService(name)};EntityPath=orders" : FindService(name)
        );

        Assert.Equal(2, code);
        Assert.Contains("SERVICEBUS_CONNECTION_STRING: names the entity 'orders' (EntityPath)", error, StringComparison.Ordinal);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private static string? FindService(string name) =>
        name switch
        {
            "EVENTHUB_CONNECTION_STRING" or "SERVICEBUS_CONNECTION_STRING" => "Endpoint=sb://bus.example;SharedAccessKeyName=a;SharedAccessKey=YQ==",
            "EVENTHUB_NAME" => "hub",
            "SERVICEBUS_QUEUE" => "orders",
            "STORAGE_CONNECTION_STRING" => "AccountName=account;AccountKey=YQ==;BlobEndpoint=https://account.example",
            _ => null,
        };

    private string Save(string text)
    {
        var file = Path.Combine(folder.FullName, $"{Guid.NewGuid():n}.json");
        File.WriteAllText(file, text);
        return file;
    }

    private Task<(int Code, string Error)> RunAsync(params string[] arguments) => RunAsync(arguments, static _ => null);

    private async Task<(int Code, string Error)> RunAsync(string[] arguments, Func<string, string?> environment)
    {
        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, environment);
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
        return (code, error.ToString());
    }
}
