using System.Globalization;
using EventHubThroughput.Processes;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// Consumers of each strategy killed at all points, and a few that share their partitions. The long runs are <c>benchmarks/kills</c> and
/// <c>benchmarks/handover</c>, published in docs/results.
/// </summary>
public sealed class SuperviseTests
{
    [Theory]
    [EachStrategy]
    public async Task Kills_at_every_point_lose_nothing_and_repeat_no_more_than_they_may(string clients, string strategy)
    {
        // A fixed seed in the long run and in CI, another one at a desk each time. A failure names it.
        var seed = Budget.DrawSeed();
        var run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --strategy {strategy} --keys 40 --cycles 14 --seed {seed}",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(8)
        );

        Assert.True(run.ExitCode == 0, $"--seed {seed}: {run.Error}{run.Output}");
        var cells = Numbers(Assert.Single(GetRows(run), row => row[0] == strategy));

        // Cycles, killed, events, lost, checkpoint ahead, duplicates, bound. Then kills at K1, K2 ...
        Assert.Equal([14, 14], cells[..2]);
        Assert.Equal([0, 0], cells[3..5]);
        Assert.InRange(cells[5], 0, cells[6]);
        Assert.Equal(Enumerable.Range(1, 14).Select(number => ($"K{number}", "1")), GetKills(run));
    }

    [Theory]
    [EachFamily]
    public async Task Few_cycles_are_spread_over_kill_points_and_strategies_and_all_consumers_have_the_limits_that_were_chosen(string clients)
    {
        var strategies = StrategyCatalog.Safe.Select(strategy => strategy.Name).ToList();
        var run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --cycles {strategies.Count} --window 20 --checkpoint-events 30 --replay-limit 60",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(8)
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Equal(
            strategies.Select((_, cycle) => $"K{(cycle * 14 / strategies.Count) + 1}"),
            GetKills(run).Where(kill => kill.Struck == "1").Select(kill => kill.Point)
        );
        foreach (var strategy in strategies)
        {
            // One kill of an owner of two partitions. The verdict applied the limit to each of them.
            var row = Assert.Single(GetRows(run), row => row[0] == strategy);
            Assert.Equal([1, 1, 2 * 60], new[] { Numbers(row)[0], Numbers(row)[1], Numbers(row)[6] });
            Assert.InRange(long.Parse(row[8], CultureInfo.InvariantCulture), 0, 60);
        }
    }

    [Theory]
    [EachFamily]
    public async Task Two_consumers_that_join_leave_and_die_lose_nothing_and_hand_every_partition_over(string clients)
    {
        var seed = Budget.DrawSeed();
        var run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --owners 2 --cycles 4 --strategy outloop --seed {seed}",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(5)
        );

        Assert.True(run.ExitCode == 0, $"--seed {seed}: {run.Error}{run.Output}");
        var rows = GetRows(run);
        var cells = Numbers(Assert.Single(rows, row => row[0] == "outloop"));
        Assert.Equal([4, 4], cells[..2]);
        Assert.Equal([0, 0], cells[3..5]);
        Assert.InRange(cells[5], 0, cells[6]);

        // One of two leaves, one of two dies, and twice one of three goes: each had a partition at least. A busy machine may exceed the bounds.
        foreach (var kind in new[] { "released by a process that left", "left by a killed process" })
        {
            Assert.InRange(int.Parse(Assert.Single(rows, row => row[0] == kind)[1], CultureInfo.InvariantCulture), 3, int.MaxValue);
        }
    }

    [Fact]
    public async Task Bad_input_is_refused_before_anything_is_started()
    {
        var run = await Programs.ConsumerAsync("supervise --kill-at K77 --cycles 0", null, TestContext.Current.CancellationToken);

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(
            ["error: --kill-at 'K77': unknown kill point, allowed K1 to K14, or all", "error: --cycles 0: out of range, allowed 1 to 100000"],
            run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal).Reverse()
        );
    }

    // The lines of its tables, cell by cell.
    private static string[][] GetRows(FinishedProcess run) =>
        [
            .. run
                .Output.Split('\n')
                .Where(line => line.StartsWith("| ", StringComparison.Ordinal))
                .Select(line => line.Split('|', StringSplitOptions.TrimEntries)[1..^1]),
        ];

    // The requested points, and the number of kills there, over all strategies.
    private static IEnumerable<(string Point, string Struck)> GetKills(FinishedProcess run) =>
        GetRows(run)
            .Where(row => row[0].StartsWith('K'))
            .Select(row => (row[0], row[2..].Sum(cell => long.Parse(cell, CultureInfo.InvariantCulture)).ToString(CultureInfo.InvariantCulture)));

    private static long[] Numbers(string[] row) => [.. row[1..8].Select(cell => long.Parse(cell, CultureInfo.InvariantCulture))];
}
