using EventHubThroughput.Lab.Results;
using EventHubThroughput.Telemetry;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>Facts that few events of one cell do not show, but those of several cells may.</summary>
public sealed class PooledTimesTests
{
    [Fact]
    public async Task Where_no_cell_has_a_99th_percentile_all_of_them_have_one()
    {
        // 600 of 1 ms and 10 of 50 ms each: six of them are beyond the 99th of a cell, 30 of 1,830 beyond the one of all.
        Assert.Equal(50, PooledTimes.EventP99Ms(await CellsAsync(3, 600))!.Value, 0.1);
        Assert.Null(PooledTimes.EventP99Ms(await CellsAsync(1, 600)));
        Assert.Null(PooledTimes.EventP99Ms([]));
    }

    [Fact]
    public async Task Where_cells_have_one_it_is_the_median_of_these()
    {
        var cells = await CellsAsync(3, 5);

        Assert.Equal(20, PooledTimes.EventP99Ms([With(cells[0], 10), With(cells[1], 20), With(cells[2], 90)]));
        Assert.Equal(15, PooledTimes.EventP99Ms([With(cells[0], 10), With(cells[1], 20), cells[2]]));
    }

    private static async Task<IReadOnlyList<RunResult>> CellsAsync(int count, int quick)
    {
        var histogram = new LatencyHistogram();
        for (var number = 0; number < quick + 10; number++)
        {
            histogram.Record(TimeSpan.FromMilliseconds(number < quick ? 1 : 50));
        }

        var plan = await PlanAsync("--strategies=baseline");
        var cell = Blocks(plan, [30])[0].Result!;
        var figures = StageFigures.WithHistogram(histogram, TimeSpan.FromSeconds(5));
        return [.. Enumerable.Repeat(cell with { Stages = new Dictionary<string, StageFigures>(cell.Stages) { ["event"] = figures } }, count)];
    }

    private static RunResult With(RunResult cell, double p99) =>
        cell with
        {
            Stages = new Dictionary<string, StageFigures>(cell.Stages) { ["event"] = cell.Stages["event"] with { P99Ms = p99 } },
        };
}
