using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety;

/// <summary>The table of all cells as a document, written from the run that it tells of.</summary>
internal static class MatrixReport
{
    public static void Write(IReadOnlyList<CellOutcome> outcomes) =>
        File.WriteAllText(Path.Combine(RepositoryFiles.Root, "docs", "results", "faults.md"), Text(outcomes, TimeProvider.System.GetUtcNow()));

    private static string Text(IReadOnlyList<CellOutcome> outcomes, DateTimeOffset now)
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"""
            # The fault matrix

            Written by `SAFETY=whole dotnet test --project tests/Safety` on {now:yyyy-MM-dd}: {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription},
            {RuntimeInformation.FrameworkDescription}, {MatrixRun.AtOnce} cells at once. Each cell is an emulator, a sender and its consumers as processes of their own;
            the verdict is computed from ledger and journal after the last of them. {outcomes.Count(outcome => outcome.Passed)} of {outcomes.Count} cells ended as expected.

            *Exit* is that of the consumer under the fault; where it is not 0, the cause was removed and a further run had to end clean, and verdict, duplicates and
            replayed events are those of both together. One cell alone: `SAFETY=F17-all/outloop dotnet test --project tests/Safety`.

            | row | injected | strategy | expected | exit | verdict | duplicates | replayed | s | |
            |---|---|---|--:|--:|---|--:|--:|--:|---|

            """);
        foreach (CellOutcome outcome in outcomes.OrderBy(outcome => Place(outcome.Cell.Row)).ThenBy(outcome => outcome.Cell.Strategy.Name == "baseline" ? 0 : 1))
        {
            Append(text, outcome);
        }

        return text.ToString();
    }

    private static int Place(FaultRow row) => Rows.FaultRows.All.ToList().FindIndex(known => known.Id == row.Id);

    private static void Append(StringBuilder text, CellOutcome outcome)
    {
        (FaultRow row, Verdict? verdict) = (outcome.Cell.Row, outcome.Verdict);
        string word = verdict?.Outcome switch { VerdictOutcome.Pass => "clean", VerdictOutcome.Fail => "failed", VerdictOutcome.Undecided => "undecided", _ => "-" };
        string remark = outcome.Passed ? "" : $"**{Cut(outcome.Problems[0])}**";
        text.AppendLine(CultureInfo.InvariantCulture,
            $"| {row.Id} | {row.Injected} | {outcome.Cell.Strategy.Name} | {row.Expected.Exit} | {outcome.Exit} | {word} | {verdict?.DuplicateServiceBus} | {verdict?.Replayed} | {outcome.Elapsed.TotalSeconds:0.0} | {remark} |");
    }

    private static string Cut(string problem) => problem.ReplaceLineEndings(" ").Replace('|', '/') is { Length: > 160 } text ? text[..160] + "…" : problem.ReplaceLineEndings(" ").Replace('|', '/');
}
