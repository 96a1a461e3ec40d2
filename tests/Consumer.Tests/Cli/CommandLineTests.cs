using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Logs;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>The answers of the program to a wrong command line, word for word, in process.</summary>
public sealed class CommandLineTests
{
    private const string Known =
        "Known: baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions";

    private static readonly Dictionary<string, string> Present = new(StringComparer.Ordinal)
    {
        ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["EVENTHUB_NAME"] = "hub",
        ["SERVICEBUS_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5673;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["SERVICEBUS_QUEUE"] = "queue",
        ["STORAGE_CONNECTION_STRING"] =
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1",
    };

    private readonly List<(RunOptions Options, MessagingSettings? Settings)> started = [];

    [Theory]
    [InlineData("--strategy=outlop", "error: --strategy 'outlop': unknown, did you mean 'outloop'? " + Known)]
    [InlineData(
        "--strategy=zebra",
        "error: --strategy 'zebra': unknown. Known: baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions"
    )]
    [InlineData("--clients=sdk", "error: --clients 'sdk': unknown. Known: official, builtin")]
    [InlineData("--clients=oficial", "error: --clients 'oficial': unknown, did you mean 'official'? Known: official, builtin")]
    [InlineData("--degree=many", "error: --degree 'many': not a whole number, allowed 1 to 4096")]
    [InlineData("--degree=0", "error: --degree 0: out of range, allowed 1 to 4096")]
    [InlineData("--degree=1000000000000", "error: --degree 1000000000000: out of range, allowed 1 to 4096")]
    [InlineData("--batch=0", "error: --batch 0: out of range, allowed 1 to 10000")]
    [InlineData("--degre=3", "error: --degre: unknown option, did you mean '--degree'?")]
    [InlineData("--stratgy=outloop", "error: --stratgy: unknown option, did you mean '--strategy'?")]
    [InlineData("--wibble=3", "error: --wibble: unknown option")]
    [InlineData("--profile=nowhere/p.json", "error: --profile nowhere/p.json: not found")]
    [InlineData("--input=nowhere.jsonl", "error: --input nowhere.jsonl: not found")]
    [InlineData("--faults=F11,nowhere.json", "error: --faults nowhere.json: not found")]
    [InlineData("--degree", "error: --degree: value missing")]
    [InlineData("--drain-limit=10", "error: --drain-limit '10': missing unit, write 10s, 500ms or 2m")]
    [InlineData("--start-limit=0s", "error: --start-limit 0s: out of range, allowed 1s to 30m")]
    [InlineData("--start-limit=60", "error: --start-limit '60': missing unit, write 10s, 500ms or 2m")]
    [InlineData("--emulator-ceiling=0", "error: --emulator-ceiling 0: out of range, allowed 1 to 100000000")]
    [InlineData("--follow", "error: --follow: needs a hub to follow, set EVENTHUB_CONNECTION_STRING and its companions")]
    [InlineData("--ledger=l.jsonl", "error: --ledger: an embedded run writes its own, add --keep to keep it")]
    [InlineData("--metrics-host=nowhere", "error: --metrics-host 'nowhere': not an IP address")]
    [InlineData("--run=Run_1", "error: --run 'Run_1': allowed are 1 to 40 lower-case letters, digits and single hyphens between them")]
    [InlineData("--on-poison=skip", "error: --on-poison 'skip': unknown. Known: block, deadletter, stop")]
    [InlineData("--ownership-expiry=1s", "error: ownership expiry 1s: must be at least 2 x the balancing interval (1s)")]
    [InlineData("--kill-at=K15", "error: --kill-at 'K15': unknown kill point, allowed K1 to K14, or K3:7 for its seventh occurrence")]
    [InlineData(
        "--connection-string=Endpoint=sb://x;SharedAccessKey=c2VjcmV0",
        "error: --connection-string: not an option. Set EVENTHUB_CONNECTION_STRING, or use a settings file with mode 0600"
    )]
    public async Task Refuses_what_it_cannot_do_in_one_line(string argument, string expected)
    {
        var (code, error) = await RunAsync([argument]);

        Assert.Equal(expected + "\n", error);
        Assert.Equal(2, code);
        Assert.Empty(started);
    }

    [Theory]
    [InlineData("--checkpoint-store=package", "error: --checkpoint-store package: only in a build with -p:OfficialPackages=true. Known in this build: own\n")]
    [InlineData(
        "--strategy=outloop-dasync",
        "error: --strategy outloop-dasync: only in a build with -p:OfficialPackages=true. Known in this build: baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions\n"
    )]
    public async Task Names_the_build_that_has_what_this_one_lacks(string argument, string expected)
    {
        Assert.Equal((2, expected), await RunAsync([argument]));
        Assert.Empty(started);
    }

    [Fact]
    public async Task Takes_every_family_and_every_strategy_that_the_build_has()
    {
        foreach (var family in AvailableComponents.Clients)
        {
            foreach (var strategy in AvailableComponents.Current.Strategies)
            {
                Assert.Equal(
                    (0, string.Empty),
                    await RunAsync([$"--clients={family.Name}", $"--strategy={strategy.Name}", .. strategy.IsUnsafe ? ["--unsafe"] : Array.Empty<string>()])
                );
                Assert.Equal(
                    (family, strategy, family.Name),
                    (started[^1].Options.Clients, started[^1].Options.Processing.Strategy, started[^1].Options.Load!.Clients)
                );
            }
        }
    }

    [Fact]
    public async Task All_problems_are_listed_together()
    {
        var (code, error) = await RunAsync(["--degree=0", "--batch=x", "--strategy=zebra", "--metrics-port=1", "--no-metrics"]);

        Assert.Equal(
            """
            error: --degree 0: out of range, allowed 1 to 4096
            error: --batch 'x': not a whole number, allowed 1 to 10000
            error: --strategy 'zebra': unknown. Known: baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions
            error: --metrics-port: cannot be combined with --no-metrics

            """,
            error
        );
        Assert.Equal(2, code);
    }

    [Theory]
    [InlineData("--degree=64 --window=16", "--window 16: smaller than --degree 64")]
    [InlineData("--window=1024 --checkpoint-events=100 --replay-limit=100", "--replay-limit 100: smaller than window + checkpoint events (1124)")]
    [InlineData("--partition=4 --partitions=4", "--partition 4: the hub has --partitions 4, they count from 0")]
    [InlineData("--partition=1", "--partition 1: the hub has --partitions 1, they count from 0")]
    [InlineData("--partition=0 --keys=5", "--partition: cannot be combined with --keys, because a key decides the partition")]
    [InlineData("--batch=20 --replay-limit=19", "--replay-limit 19: smaller than window + checkpoint events (20)")]
    public async Task Refuses_limits_that_contradict_each_other(string arguments, string expected)
    {
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync(arguments.Split(' ')));
        Assert.Empty(started);
    }

    [Theory]
    [InlineData("--batch=20", 20, 20)]
    [InlineData("--batch=20 --checkpoint-events=100", 20, 120)]
    [InlineData("--batch=20 --checkpoint-interval=1s", 20, 1020)]
    [InlineData("--window=64 --checkpoint-events=100 --replay-limit=500", 64, 500)]
    public async Task Bounds_what_a_crash_may_repeat(string arguments, int window, long replay)
    {
        await RunAsync(arguments.Split(' '));

        Assert.Equal(new DispatchLimits { Window = window, Replay = replay }, Assert.Single(started).Options.Processing.Limits);
    }

    [Theory]
    [InlineData(
        "--degree=4096 --batch=10000 --prefetch=10000 --retry-limit=1000 --drain-limit=1h --delivery-limit=1h --balancing-interval=1h --ownership-expiry=2h"
    )]
    [InlineData("--degree=1 --batch=1 --prefetch=0 --retry-limit=0 --drain-limit=1ms --delivery-limit=2s --balancing-interval=100ms --ownership-expiry=200ms")]
    public async Task Options_that_are_accepted_can_be_processed(string arguments)
    {
        Assert.Equal((0, ""), await RunAsync(arguments.Split(' ')));

        Assert.Single(started).Options.Processing.Validate();
    }

    [Fact]
    public async Task Refuses_an_option_given_twice() => Assert.Equal((2, "error: --degree: given twice\n"), await RunAsync(["--degree=1", "--degree=2"]));

    [Theory]
    [InlineData("EVENTHUB_NAME")]
    [InlineData("SERVICEBUS_CONNECTION_STRING")]
    [InlineData("STORAGE_CONNECTION_STRING")]
    public async Task Names_the_setting_that_is_missing_when_others_are_present(string missing)
    {
        var (code, error) = await RunAsync([], Present.Where(pair => pair.Key != missing));

        Assert.StartsWith($"error: {missing}: ", error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd().Split('\n'));
        Assert.Equal(2, code);
    }

    [Theory]
    [InlineData("it", "EVENTHUB_CONSUMER_GROUP")]
    [InlineData("them", "EVENTHUB_CONSUMER_GROUP", "SERVICEBUS_QUEUE")]
    public async Task A_name_without_a_connection_is_reported_as_the_reason_why_the_run_is_not_embedded(string unset, params string[] names)
    {
        var (code, error) = await RunAsync([], names.Select(static name => KeyValuePair.Create(name, "name")));

        Assert.Contains("error: EVENTHUB_CONNECTION_STRING: not set\n", error, StringComparison.Ordinal);
        Assert.EndsWith(
            $"error: {string.Join(", ", names)}: set, so the run is not embedded and needs connection settings. Unset {unset} for an embedded run\n",
            error,
            StringComparison.Ordinal
        );
        Assert.Equal(2, code);
    }

    [Fact]
    public async Task An_unknown_strategy_is_answered_with_the_strategies_of_this_build_only()
    {
        var (_, error) = await RunAsync(["--strategy=zebra"]);

        Assert.EndsWith(
            $". Known: {string.Join(", ", AvailableComponents.Current.Strategies.Select(static strategy => strategy.Name))}\n",
            error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Names_a_malformed_setting_and_never_shows_its_value()
    {
        var settings = new Dictionary<string, string>(Present, StringComparer.Ordinal)
        {
            ["EVENTHUB_CONNECTION_STRING"] = "SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0",
        };

        var (code, error) = await RunAsync([], settings);

        Assert.Equal("error: EVENTHUB_CONNECTION_STRING: 'Endpoint' missing\n", error);
        Assert.Equal(2, code);
    }

    [Theory]
    [InlineData("--events=5", "--events")]
    [InlineData("--profile=none", "--profile")]
    [InlineData("--partitions=2", "--partitions")]
    [InlineData("--size=5", "--size")]
    [InlineData("--keys=5", "--keys")]
    [InlineData("--skew=1.2", "--skew")]
    [InlineData("--rate=100", "--rate")]
    [InlineData("--topic", "--topic")]
    [InlineData("--input=x.jsonl", "--input")]
    [InlineData("--partition=0", "--partition")]
    [InlineData("--keep=x", "--keep")]
    [InlineData("--faults=F11", "--faults")]
    public async Task Refuses_embedded_options_when_settings_are_present(string argument, string name) =>
        Assert.Equal((2, $"error: {name}: only for embedded runs, but connection settings are set in the environment\n"), await RunAsync([argument], Present));

    [Fact]
    public async Task Wants_ledger_and_journal_together() =>
        Assert.Equal((2, "error: --ledger: needs --journal too\n"), await RunAsync(["--ledger=x"], Present));

    [Theory]
    [InlineData("--input=x.jsonl --events=5", "--events: for generated events only, not with --input")]
    [InlineData("--input=x.jsonl --keys=5", "--keys: for generated events only, not with --input")]
    [InlineData("--key-field=origin", "--key-field: only with --input")]
    [InlineData("--input=x.jsonl --key-field=origin --partition=0", "--partition: cannot be combined with --key-field, because a key decides the partition")]
    public async Task Refuses_what_a_file_of_events_leaves_no_room_for(string arguments, string expected)
    {
        var input = Path.GetTempFileName();
        try
        {
            Assert.Equal((2, $"error: {expected}\n"), await RunAsync(arguments.Replace("x.jsonl", input, StringComparison.Ordinal).Split(' ')));
        }
        finally
        {
            File.Delete(input);
        }
    }

    [Fact]
    public async Task Runs_embedded_with_the_documented_defaults()
    {
        Assert.Equal((0, ""), await RunAsync([]));

        var (options, settings) = Assert.Single(started);
        Assert.Null(settings);
        Assert.Equal(
            new LoadOptions(600, 1, "article", BodySizes.Of([(1024, 1)]), 0, null) { Log = LogChoice.Nothing, MetricsTargets = TargetList.UsualFolder },
            options.Load
        );
        Assert.Equal(
            ("baseline", 16, 10, 0),
            (options.Processing.Strategy.Name, options.Processing.MaxConcurrency, options.Processing.BatchSize, options.Processing.Prefetch)
        );
        Assert.Equal((TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(5)), (options.Processing.BalancingInterval, options.Processing.OwnershipExpiry));
        Assert.True(options.Processing.Checkpoints.EachBatch);
        Assert.True(options.Processing.Fencing);
    }

    [Fact]
    public async Task Prefetches_on_any_other_profile()
    {
        await RunAsync(["--profile=none"]);

        Assert.Equal(300, Assert.Single(started).Options.Processing.Prefetch);
    }

    [Fact]
    public async Task Runs_on_the_settings_that_are_present_with_their_own_defaults()
    {
        Assert.Equal((0, ""), await RunAsync(["run", "--strategy=outloop", "--follow"], Present));

        var (options, settings) = Assert.Single(started);
        Assert.Equal("queue", settings!.MessageEntity);
        Assert.Null(options.Load);
        Assert.Equal(("outloop", 300), (options.Processing.Strategy.Name, options.Processing.Prefetch));
        Assert.Equal((TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(30)), (options.Processing.BalancingInterval, options.Processing.OwnershipExpiry));
        Assert.True(options.Follow);
    }

    [Fact]
    public async Task Every_option_of_the_help_is_in_a_group()
    {
        await using var output = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, TextWriter.Null, _ => null);
        foreach (var command in new[] { "", "run ", "verify ", "supervise ", "redrive ", "model ", "profile ", "compare ", "sweep ", "metrics " })
        {
            await CommandHost.RunAsync(
                Program.GetCommand(console, signals: null!, []),
                [.. command.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"],
                console,
                TestContext.Current.CancellationToken
            );
        }

        var help = output.ToString();
        Assert.Equal(10, help.Split("\nOther:\n").Length - 1);
        Assert.All(
            help.Split("\nOther:\n")[1..].SelectMany(static rest => rest.Split('\n').TakeWhile(static line => line.StartsWith("  ", StringComparison.Ordinal))),
            static line => Assert.Matches("^  --(help|version) ", line)
        );
        Assert.Contains(
            "\n  keyed         Events of one key in turn, keys concurrently (up to the degree), sinks concurrently, across batches. Order: of each key.\n",
            help,
            StringComparison.Ordinal
        );
        Assert.Contains("\n  knee-8            Message 10 ms + 8 concurrently; blob 5 ms; checkpoint 10 ms\n", help, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Has_no_option_that_dotnet_run_would_swallow()
    {
        using var output = new StringWriter();
        var console = new CommandConsole(output, TextWriter.Null, _ => null);
        await CommandHost.RunAsync(
            ConsumerCommand.Create(console, (_, _, _) => Task.FromResult(0)),
            ["--help"],
            console,
            TestContext.Current.CancellationToken
        );
        string[] swallowed =
        [
            "--arch",
            "--artifacts-path",
            "--configuration",
            "--device",
            "--disable-build-servers",
            "--environment",
            "--file",
            "--framework",
            "--interactive",
            "--launch-profile",
            "--list-devices",
            "--no-build",
            "--no-cache",
            "--no-launch-profile",
            "--no-restore",
            "--no-self-contained",
            "--os",
            "--project",
            "--property",
            "--runtime",
            "--self-contained",
            "--verbosity",
        ];
        var ours = output.ToString().Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries).Where(word => word.StartsWith("--", StringComparison.Ordinal));

        Assert.Empty(ours.Intersect(swallowed));
    }

    private Task<(int Code, string Error)> RunAsync(string[] arguments) => RunAsync(arguments, []);

    private async Task<(int Code, string Error)> RunAsync(string[] arguments, IEnumerable<KeyValuePair<string, string>> environment)
    {
        var variables = environment.ToDictionary(StringComparer.Ordinal);
        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, variables.GetValueOrDefault);
        var command = ConsumerCommand.Create(
            console,
            (options, settings, _) =>
            {
                started.Add((options, settings));
                return Task.FromResult(0);
            }
        );
        var code = await CommandHost.RunAsync(command, arguments, console, TestContext.Current.CancellationToken);
        return (code, error.ToString());
    }
}
