using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Testing;
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
        using var terminal = new LiveTerminal(sent, static () => (80, 24)) { NewLine = "\n" };
        using var progress = new ComparisonProgress(plan, terminal, clock);
        var cell = new Cell(plan.Contenders[0], 0, 0, new CellNames(plan.Id, 0));
        progress.Starts(cell);
        Assert.EndsWith("\nbaseline  starting\n", sent.ToString(), StringComparison.Ordinal);

        progress.Heard("baseline: 40 of 100 events in 4 s, 31.0 events/s");
        clock.Advance(TimeSpan.FromSeconds(4.5));

        Assert.EndsWith(
            "   16 %  cell 1 of 3, 23 s left\nbaseline  baseline: 40 of 100 events in 4 s, 31.0 events/s\n",
            sent.ToString(),
            StringComparison.Ordinal
        );
        progress.Judging();
        Assert.EndsWith("\u001b[J  judging every cell by ledger and journal\n", sent.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Elsewhere_a_line_for_each_cell_is_all()
    {
        var plan = await MadeUpComparison.PlanAsync("--strategies=baseline,pipelined");
        using var progress = new ComparisonProgress(plan, sent, clock);
        progress.Starts(new Cell(plan.Contenders[0], 0, 0, new CellNames(plan.Id, 0)));
        progress.Heard("baseline: 40 of 100 events");
        clock.Advance(TimeSpan.FromSeconds(4.5));

        Assert.Empty(sent.ToString());
    }

    public void Dispose() => sent.Dispose();
}
