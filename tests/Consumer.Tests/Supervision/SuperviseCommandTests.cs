using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Supervision;

public sealed class SuperviseCommandTests : IDisposable
{
    private readonly List<SupervisionPlan> plans = [];
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("supervise-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task Supervise_kills_consumers_of_the_whole_catalogue_at_every_point_by_default()
    {
        Assert.Equal((0, ""), await RunAsync());

        var plan = Assert.Single(plans);
        Assert.Equal(56, plan.Cycles);
        Assert.Equal(AvailableComponents.Current.Strategies.Where(strategy => !strategy.IsUnsafe), plan.Strategies);
        Assert.Equal(["baseline", "inloop", "outloop", "combined"], plan.Strategies.Take(4).Select(strategy => strategy.Name));
        Assert.Equal(Enumerable.Range(1, 14).Select(number => $"K{number}"), plan.Points.Select(point => point.Code()));
        Assert.Equal(
            (TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(600)),
            (plan.Options.Processing.BalancingInterval, plan.Options.Processing.OwnershipExpiry)
        );
        Assert.Equal(
            (2, "none", 10, 300),
            (plan.Options.Load!.Partitions, plan.Options.Load.Profile, plan.Options.Processing.BatchSize, plan.Options.Processing.Prefetch)
        );
        Assert.Equal(TimeSpan.FromMilliseconds(200), plan.RecoveryBound(sameOwner: true));
        Assert.Equal(TimeSpan.FromMilliseconds(800), plan.RecoveryBound(sameOwner: false));
        Assert.All(StrategyCatalog.Safe, strategy => Assert.Equal(strategy.IsBarrier ? 20 : 2 * 2 * (128 + 1000), plan.ReplayOfOneEnd(strategy)));
    }

    [Fact]
    public async Task Where_no_program_is_ended_by_a_signal_it_starts_none() =>
        Assert.Equal(
            (2, "error: supervise: ends consumers by SIGKILL and SIGTERM, which Windows does not have\n"),
            await RunAsync([], _ => null, hasSignals: false)
        );

    [Fact]
    public async Task Hands_on_what_concerns_the_consumers()
    {
        await RunAsync(
            "--strategy=outloop",
            "--batch=20",
            "--no-fencing",
            "--checkpoint-events=50",
            "--partitions=4",
            "--kill-at=K9,K2,K9",
            "--cycles=3",
            "--balancing-interval=100ms",
            "--keep=x"
        );

        var plan = Assert.Single(plans);
        Assert.Equal(["outloop"], plan.Strategies.Select(strategy => strategy.Name));
        Assert.Equal([KillPoint.AfterCheckpointStored, KillPoint.MessageOnTheWire], plan.Points);
        Assert.Equal(("x", 4), (plan.Options.Load!.Keep, plan.Options.Load.Partitions));
        var start = plan.GetStart(plan.Strategies[0], "one");
        Assert.Equal(
            ("one", true, "outloop", 20, false),
            (start.Run, start.RunIsNamed, start.Processing.Strategy.Name, start.Processing.BatchSize, start.Processing.Fencing)
        );
        Assert.Equal((50, TimeSpan.FromSeconds(5)), (start.Processing.Checkpoints.Events, start.Processing.Checkpoints.Interval));
        Assert.Equal((TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(600)), (start.Processing.BalancingInterval, start.Processing.OwnershipExpiry));
        Assert.Equal((null, null), (start.Load, start.Outputs.Metrics));
        Assert.Equal(4 * (20 + 50), plan.ReplayOfOneEnd(plan.Strategies[0]));
    }

    [Theory]
    [InlineData("", 10, 2 * (128 + 1000))]
    [InlineData("--batch=300", 300, 2 * (300 + 1000))]
    [InlineData("--batch=30 --checkpoint-events=50", 80, 2 * (128 + 50))]
    [InlineData("--checkpoint-interval=1s", 10 + 1000, 2 * (128 + 1000))]
    [InlineData("--degree=2000", 10, 2 * (16_000 + 1000))]
    [InlineData("--window=64 --checkpoint-events=16", 64 + 16, 2 * (64 + 16))]
    [InlineData("--window=64 --checkpoint-events=16 --replay-limit=99", 99, 99)]
    public async Task Allows_a_crash_what_the_consumers_own_limit_allows_it(string arguments, long barrier, long continues)
    {
        await RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        var plan = Assert.Single(plans);
        foreach (var (strategy, limit) in new[] { (StrategyCatalog.Find("outloop"), barrier), (StrategyCatalog.Find("pipelined"), continues) })
        {
            Assert.Equal(limit, plan.ReplayOfOnePartition(strategy));
            Assert.Equal(2 * limit, plan.ReplayOfOneEnd(strategy));

            // The input of the verdict on a backlog, and the gate of each consumer.
            Assert.Equal(limit, plan.GetOptions(strategy, "one").Processing.Limits.Replay);
        }
    }

    [Fact]
    public async Task Hands_on_the_limits_that_are_chosen()
    {
        await RunAsync("--window=64", "--checkpoint-events=16", "--replay-limit=99");

        var options = Assert.Single(plans).Options;
        Assert.Equal((64, 99), (options.Processing.Window, options.Processing.ReplayLimit));
    }

    [Fact]
    public async Task Drains_instead_of_killing_and_allows_no_repeat_then()
    {
        await RunAsync("--drain");

        var plan = Assert.Single(plans);
        Assert.True(plan.Drains);
        Assert.All(plan.Strategies, strategy => Assert.Equal(0, plan.ReplayOfOneEnd(strategy)));
        Assert.Equal((2, "error: --drain: cannot be combined with --kill-at\n"), await RunAsync("--drain", "--kill-at=K1"));
    }

    [Fact]
    public async Task Lets_owners_share_twice_as_many_partitions_on_cycles_that_a_whole_second_of_the_store_cannot_upset()
    {
        await RunAsync("--owners=4");

        var plan = Assert.Single(plans);
        Assert.Equal((4, 8), (plan.Owners, plan.Options.Load!.Partitions));
        Assert.False(plan.Drains);
        Assert.Equal(
            (TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(3)),
            (plan.Options.Processing.BalancingInterval, plan.Options.Processing.OwnershipExpiry)
        );
        Assert.Equal(TimeSpan.FromMilliseconds(520), plan.HandoverBound(Departure.Left));
        Assert.Equal(TimeSpan.FromMilliseconds(3520), plan.HandoverBound(Departure.Died));
        Assert.All(StrategyCatalog.Safe, strategy => Assert.Equal(strategy.IsBarrier ? 10 : 2 * (128 + 1000), plan.ReplayOfOnePartition(strategy)));
    }

    [Fact]
    public async Task Allows_a_cycle_for_each_partition_where_a_cycle_claims_but_one()
    {
        await RunAsync("--owners=2", "--balancing=balanced", "--partitions=3");

        Assert.Equal(TimeSpan.FromMilliseconds(1520), Assert.Single(plans).HandoverBound(Departure.Left));
    }

    [Fact]
    public async Task A_hand_over_may_take_the_latencies_of_the_requests_of_its_claim()
    {
        var profile = Path.Combine(folder.FullName, "slow.json");
        await File.WriteAllTextAsync(
            profile,
            """
            {
              "name": "slow",
              "management": { "meanMs": 7 },
              "ownershipWrite": { "meanMs": 20, "sdMs": 5 },
              "blobList": { "meanMs": 13 },
              "messageSend": { "meanMs": 900 }
            }
            """,
            TestContext.Current.CancellationToken
        );

        await RunAsync("--owners=2", "--profile", profile);

        // A cycle of 500 ms, four requests of 5 ms, and 7 + (20 + 4 * 5) + 13 + (20 + 4 * 5) ms of the profile.
        Assert.Equal(TimeSpan.FromMilliseconds(620), Assert.Single(plans).HandoverBound(Departure.Left));
    }

    [Theory]
    [InlineData("--drain", "error: --drain: cannot be combined with --owners, which drains some consumers and kills others")]
    [InlineData("--kill-at=K1", "error: --kill-at: cannot be combined with --owners, which kills at any point")]
    [InlineData("--partitions=2", "error: --owners 2: must be less than the partitions (2), or a consumer that joins gets none")]
    [InlineData(
        "--ownership-expiry=1500ms",
        "error: ownership expiry 1500ms: must be at least 2s with --owners, because the store keeps times in whole seconds"
    )]
    public async Task Refuses_what_owners_cannot_do(string argument, string expected)
    {
        Assert.Equal((2, expected + "\n"), await RunAsync("--owners=2", argument));
        Assert.Empty(plans);
    }

    [Theory]
    [InlineData("--owners=1", "error: --owners 1: out of range, allowed 2 to 16")]
    [InlineData("--kill-at=K1,K15", "error: --kill-at 'K15': unknown kill point, allowed K1 to K14, or all")]
    [InlineData("--kill-at=random", "error: --kill-at 'random': unknown kill point, allowed K1 to K14, or all")]
    [InlineData("--cycles=0", "error: --cycles 0: out of range, allowed 1 to 100000")]
    [InlineData("--ownership-expiry=300ms", "error: ownership expiry 300ms: must be at least 2 x the balancing interval (200ms)")]
    [InlineData("--window=8", "error: --window 8: smaller than --degree 16")]
    [InlineData("--window=0", "error: --window 0: out of range, allowed 1 to 10000000")]
    [InlineData("--replay-limit=9", "error: --replay-limit 9: smaller than window + checkpoint events (10)")]
    [InlineData("--replay-limit=many", "error: --replay-limit 'many': not a whole number, allowed 1 to 100000000")]
    [InlineData("--identifier=x", "error: --identifier: unknown option")]
    [InlineData("--ledger=x", "error: --ledger: unknown option")]
    public async Task Refuses_what_it_cannot_do(string argument, string expected)
    {
        Assert.Equal((2, expected + "\n"), await RunAsync(argument));
        Assert.Empty(plans);
    }

    [Fact]
    public async Task Refuses_a_namespace_that_is_not_its_own()
    {
        var (code, error) = await RunAsync([], name => name == "EVENTHUB_NAME" ? "hub" : null);

        Assert.Equal(2, code);
        Assert.Contains("error: supervise: runs on its own emulator", error, StringComparison.Ordinal);
    }

    private Task<(int Code, string Error)> RunAsync(params string[] arguments) => RunAsync(arguments, _ => null);

    private async Task<(int Code, string Error)> RunAsync(string[] arguments, Func<string, string?> environment, bool hasSignals = true)
    {
        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, environment);
        var root = new RootCommand("test");
        root.Subcommands.Add(
            SuperviseCommand.Create(
                console,
                plan =>
                {
                    plans.Add(plan);
                    return Task.FromResult(0);
                },
                hasSignals
            )
        );
        var code = await CommandHost.RunAsync(root, ["supervise", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, error.ToString());
    }
}
