using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Supervision;

public sealed class SuperviseCommandTests
{
    private readonly List<SupervisionPlan> plans = [];

    [Fact]
    public async Task Kills_consumers_of_the_whole_catalogue_at_every_point_unless_told_otherwise()
    {
        Assert.Equal((0, ""), await RunAsync());

        var plan = Assert.Single(plans);
        Assert.Equal(56, plan.Cycles);
        Assert.Equal(BuildOffer.Current.Strategies, plan.Strategies);
        Assert.Equal(["baseline", "inloop", "outloop", "combined"], plan.Strategies.Take(4).Select(strategy => strategy.Name));
        Assert.Equal(Enumerable.Range(1, 14).Select(number => $"K{number}"), plan.Points.Select(point => point.ToString()));
        Assert.Equal(["--balancing-interval", "200ms", "--ownership-expiry", "600ms"], plan.Arguments);
        Assert.Equal((2, "none", 10), (plan.Options.Embedded!.Partitions, plan.Options.Embedded.Profile, plan.Options.Batch));
        Assert.Equal(TimeSpan.FromMilliseconds(200), plan.RecoveryBound(sameOwner: true));
        Assert.Equal(TimeSpan.FromMilliseconds(800), plan.RecoveryBound(sameOwner: false));
        Assert.Equal(20, plan.ReplayOfOneEnd);
    }

    [Fact]
    public async Task Hands_on_what_concerns_the_consumers()
    {
        await RunAsync(
            "--strategy=outloop",
            "--batch=20",
            "--no-fencing",
            "--checkpoint-events=50",
            "--partitions=4",
            "--kill-at=K9,K2",
            "--cycles=3",
            "--balancing-interval=100ms",
            "--keep=x"
        );

        var plan = Assert.Single(plans);
        Assert.Equal(["outloop"], plan.Strategies.Select(strategy => strategy.Name));
        Assert.Equal([KillPoint.K9, KillPoint.K2], plan.Points);
        Assert.Equal(
            ["--batch", "20", "--no-fencing", "--checkpoint-events", "50", "--balancing-interval", "100ms", "--ownership-expiry", "600ms"],
            plan.Arguments
        );
        Assert.False(plan.Options.Fencing);
        Assert.Equal(("x", 4), (plan.Options.Embedded!.Keep, plan.Options.Embedded.Partitions));
        Assert.Equal(4 * (20 + 50), plan.ReplayOfOneEnd);
    }

    [Fact]
    public async Task Drains_instead_of_killing_and_allows_no_repeat_then()
    {
        await RunAsync("--drain");

        var plan = Assert.Single(plans);
        Assert.True(plan.Drains);
        Assert.Equal(0, plan.ReplayOfOneEnd);
        Assert.Equal((2, "error: --drain: not together with --kill-at\n"), await RunAsync("--drain", "--kill-at=K1"));
    }

    [Fact]
    public async Task Lets_owners_share_twice_as_many_partitions_on_cycles_that_a_whole_second_of_the_store_cannot_upset()
    {
        await RunAsync("--owners=4");

        var plan = Assert.Single(plans);
        Assert.Equal((4, 8), (plan.Owners, plan.Options.Embedded!.Partitions));
        Assert.False(plan.Drains);
        Assert.Equal(["--balancing-interval", "500ms", "--ownership-expiry", "3s"], plan.Arguments);
        Assert.Equal(TimeSpan.FromMilliseconds(500), plan.HandoverBound(Departure.Left));
        Assert.Equal(TimeSpan.FromMilliseconds(3500), plan.HandoverBound(Departure.Died));
        Assert.Equal(10, plan.ReplayOfOnePartition);
    }

    [Fact]
    public async Task Allows_a_cycle_for_each_partition_where_a_cycle_claims_but_one()
    {
        await RunAsync("--owners=2", "--balancing=balanced", "--partitions=3");

        Assert.Equal(TimeSpan.FromMilliseconds(1500), Assert.Single(plans).HandoverBound(Departure.Left));
    }

    [Theory]
    [InlineData("--drain", "error: --drain: not together with --owners, where some leave and some die")]
    [InlineData("--kill-at=K1", "error: --kill-at: not together with --owners, which die at any point")]
    [InlineData("--partitions=2", "error: --owners 2: must be less than the partitions (2), or one that joins would get none")]
    [InlineData("--ownership-expiry=1500ms", "error: ownership expiry 1500ms: must be at least 2s with --owners, as the store tells times in whole seconds")]
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
        Assert.Contains("error: supervise: kills and restarts on an emulator of its own", error, StringComparison.Ordinal);
    }

    private Task<(int Code, string Error)> RunAsync(params string[] arguments) => RunAsync(arguments, _ => null);

    private async Task<(int Code, string Error)> RunAsync(string[] arguments, Func<string, string?> environment)
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
                }
            )
        );
        var code = await CommandHost.RunAsync(root, ["supervise", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, error.ToString());
    }
}
