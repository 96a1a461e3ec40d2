using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Testing;
using Spectre.Console;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Comparing;

public sealed class ComparisonProgressTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly StringWriter sent = new() { NewLine = "\n" };

    [Fact]
    public async Task A_terminal_shows_the_cell_under_way_with_a_bar_and_the_time_that_is_left()
    {
        var plan = await MadeUpComparison.PlanAsync("--strategies=baseline,pipelined");
        using var terminal = new LiveConsole(sent, static () => (80, 24), ColorSystemSupport.NoColors) { NewLine = "\n" };
        await using var progress = new ComparisonProgress(plan, terminal, clock);
        var cell = new Cell(plan.Configurations[0], 0, 0, new CellNames(plan.Id, 0));
        progress.Starts(cell);
        Assert.Equal("baseline  starting", Screen()[^1]);

        progress.Show("baseline: 40 of 100 events in 4 s, 31.0 events/s");
        clock.Advance(TimeSpan.FromSeconds(4.5));

        Assert.EndsWith(" 16% cell 1 of 3, 23 s left", Screen()[^2], StringComparison.Ordinal);
        Assert.Equal("baseline  40 of 100 events in 4 s, 31.0 events/s", Screen()[^1]);
        await progress.JudgingAsync();
        Assert.Equal(["  computing the verdict of every cell from ledger and journal", ""], Screen());
    }

    [Fact]
    public async Task Elsewhere_a_line_for_each_cell_is_all()
    {
        var plan = await MadeUpComparison.PlanAsync("--strategies=baseline,pipelined");
        await using var progress = new ComparisonProgress(plan, sent, clock);
        progress.Starts(new Cell(plan.Configurations[0], 0, 0, new CellNames(plan.Id, 0)));
        progress.Show("baseline: 40 of 100 events");
        clock.Advance(TimeSpan.FromSeconds(4.5));

        Assert.Empty(sent.ToString());
    }

    public void Dispose() => sent.Dispose();

    private List<string> Screen() => TerminalScreen.GetLines(sent.ToString());
}
