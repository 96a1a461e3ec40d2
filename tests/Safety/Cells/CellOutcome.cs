using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The state after a cell: the last consumer's end, and what ledger and journal prove.</summary>
internal sealed record CellFacts(Stage Stage, FinishedProcess Last, Verdict Verdict)
{
    /// <summary>How often the emulator's faults struck.</summary>
    public int Strikes { get; } = JournalFile.Open(Stage.Journal).Records.OfType<FaultInjected>().Count();
}

/// <summary>How a cell ended. It passed when there are no objections.</summary>
/// <param name="Cell">The cell.</param>
/// <param name="Exit">The exit code of the last consumer before anything was healed, or null when the cell came to no end.</param>
/// <param name="Verdict">The verdict at the end, or null.</param>
/// <param name="Problems">The objections.</param>
/// <param name="Elapsed">How long it took.</param>
internal sealed record CellOutcome(Cell Cell, int? Exit, Verdict? Verdict, IReadOnlyList<string> Problems, TimeSpan Elapsed)
{
    public bool Passed => Problems.Count == 0;

    public override string ToString() => $"{Cell}: {(Passed ? "as expected" : string.Join("\n  ", Problems))}\nrepeat it with: {Cell.Command}";
}
