using System.Globalization;
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
        // A fixed seed in the long run, another one here each time; a failure names it.
        int seed = Random.Shared.Next(1_000_000);
        Finished run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --strategy {strategy} --cycles 14 --seed {seed}",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(4)
        );

        Assert.True(run.ExitCode == 0, $"--seed {seed}: {run.Error}{run.Output}");
        long[][] cells = [.. RowsOf(run).Where(row => row[0] == strategy).Select(Numbers)];

        // Cycles, killed, events, lost, checkpoint ahead, duplicates, bound; then kills at K1, K2 ...
        Assert.Equal([14, 14], cells[0][..2]);
        Assert.Equal([0, 0], cells[0][3..5]);
        Assert.InRange(cells[0][5], 0, cells[0][6]);
        Assert.All(cells[1], struck => Assert.Equal(1, struck));
    }

    [Theory]
    [EachFamily]
    public async Task Two_consumers_that_join_leave_and_die_lose_nothing_and_hand_every_partition_over(string clients)
    {
        int seed = Random.Shared.Next(1_000_000);
        Finished run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --owners 2 --cycles 4 --strategy outloop --seed {seed}",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(5)
        );

        Assert.True(run.ExitCode == 0, $"--seed {seed}: {run.Error}{run.Output}");
        string[][] rows = RowsOf(run);
        long[] cells = Numbers(Assert.Single(rows, row => row[0] == "outloop"));
        Assert.Equal([4, 4], cells[..2]);
        Assert.Equal([0, 0], cells[3..5]);
        Assert.InRange(cells[5], 0, cells[6]);

        // One of two leaves, one of two dies, and twice one of three goes: each had a partition at least. A busy machine may exceed the bounds.
        foreach (string kind in new[] { "released by one that left", "left behind by one that died" })
        {
            Assert.InRange(int.Parse(Assert.Single(rows, row => row[0] == kind)[1], CultureInfo.InvariantCulture), 3, int.MaxValue);
        }
    }

    [Fact]
    public async Task Bad_input_is_refused_before_anything_is_started()
    {
        Finished run = await Programs.ConsumerAsync("supervise --kill-at K77 --cycles 0", null, TestContext.Current.CancellationToken);

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(
            ["error: --kill-at 'K77': unknown kill point, allowed K1 to K14, or all", "error: --cycles 0: out of range, allowed 1 to 100000"],
            run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal).Reverse()
        );
    }

    // The lines of its tables, cell by cell.
    private static string[][] RowsOf(Finished run) =>
        [
            .. run
                .Output.Split('\n')
                .Where(line => line.StartsWith("| ", StringComparison.Ordinal))
                .Select(line => line.Split('|', StringSplitOptions.TrimEntries)[1..^1]),
        ];

    private static long[] Numbers(string[] row) => [.. row[1..8].Select(cell => long.Parse(cell, CultureInfo.InvariantCulture))];
}
