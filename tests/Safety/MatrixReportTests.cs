using EventHubThroughput.Clients;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Rows;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Safety;

/// <summary>The page of the matrix, written line by line.</summary>
public sealed class MatrixReportTests : IDisposable
{
    private readonly string folder = Directory.CreateTempSubdirectory("eht-report-").FullName;

    private string PagePath => Path.Combine(folder, "faults.md");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public void Each_cell_is_on_the_page_as_soon_as_it_has_ended()
    {
        Add("commit 11111111", Outcome(0, 0));
        Assert.Contains("1 of 1 cells ended as expected", File.ReadAllText(PagePath), StringComparison.Ordinal);

        Add("commit 11111111", Outcome(1, 0, "exit code 1 instead of 0"));
        Assert.Contains("1 of 2 cells ended as expected", File.ReadAllText(PagePath), StringComparison.Ordinal);
    }

    [Fact]
    public void A_cell_that_runs_again_replaces_its_line()
    {
        Add("commit 11111111", Outcome(0, 0, "exit code 1 instead of 0"));
        Add("commit 22222222", Outcome(0, 0));

        var page = File.ReadAllText(PagePath);
        Assert.Contains("1 of 1 cells ended as expected", page, StringComparison.Ordinal);
        Assert.DoesNotContain("commit 11111111", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_are_in_the_order_of_the_rows_and_strategies()
    {
        Add("commit 11111111", Outcome(1, 1), Outcome(1, 0), Outcome(0, 1), Outcome(0, 0));

        var lines = File.ReadAllLines(PagePath).Where(static line => line.Contains("11111111 |", StringComparison.Ordinal));
        Assert.Equal(
            [.. from row in (int[])[0, 1] from strategy in (int[])[0, 1] select (FaultRows.All[row].Id, StrategyCatalog.Safe[strategy].Name)],
            lines.Select(static line => line.Split('|', StringSplitOptions.TrimEntries)).Select(static cells => (cells[1], cells[3]))
        );
    }

    [Fact]
    public void A_line_of_a_row_that_no_longer_exists_is_dropped()
    {
        Add("commit 11111111", Outcome(0, 0));
        File.WriteAllText(PagePath, File.ReadAllText(PagePath).Replace($"| {FaultRows.All[0].Id} |", "| F0 |", StringComparison.Ordinal));

        Add("commit 11111111", Outcome(1, 0));

        Assert.DoesNotContain("| F0 |", File.ReadAllText(PagePath), StringComparison.Ordinal);
    }

    [Fact]
    public void The_cells_of_a_current_commit_are_those_that_need_no_further_run()
    {
        Add("commit 11111111", Outcome(0, 0), Outcome(0, 1));
        Add("commit 22222222", Outcome(0, 1), Outcome(1, 0));

        Assert.Equal(
            [(FaultRows.All[0].Id, StrategyCatalog.Safe[1].Name), (FaultRows.All[1].Id, StrategyCatalog.Safe[0].Name)],
            MatrixReport.ReadCells(PagePath, static commit => commit == "commit 22222222").Order()
        );
    }

    [Theory]
    [InlineData("published with commit 8f04ca5")]
    [InlineData("commit 8f04ca5 with changes on top")]
    public void A_commit_with_a_remark_is_never_current(string text) => Assert.False(MeasuredCommit.HasCurrentSources(text));

    private static CellOutcome Outcome(int row, int strategy, params string[] problems) =>
        new(new Cell(FaultRows.All[row], StrategyCatalog.Safe[strategy], Seed: 1, ClientFamily.Official), 0, Verdict: null, problems, TimeSpan.FromSeconds(1));

    private void Add(string commit, params CellOutcome[] outcomes)
    {
        var report = new MatrixReport(PagePath, commit);
        foreach (var outcome in outcomes)
        {
            report.Add(outcome);
        }
    }
}
