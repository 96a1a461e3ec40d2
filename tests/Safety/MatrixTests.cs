using Xunit;

namespace EventHubThroughput.Safety;

/// <summary>The fault matrix: every cell with real processes, judged from ledger and journal.</summary>
public sealed class MatrixTests(MatrixRun run) : IClassFixture<MatrixRun>
{
    public static TheoryData<string> Cells => [.. Selection.Cells.Select(cell => cell.ToString())];

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task Every_cell_ends_as_specified(string cell)
    {
        var outcome = await run.OutcomeOfAsync(cell, TestContext.Current.CancellationToken);
        TestContext.Current.TestOutputHelper?.WriteLine($"{outcome} ({outcome.Elapsed.TotalSeconds:0.0} s)");
        Assert.True(outcome.Passed, outcome.ToString());
    }
}
