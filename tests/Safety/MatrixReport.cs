using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety;

/// <summary>
/// The table of all cells as a document, written from the runs that it describes. The whole matrix rewrites it, some cells write their own lines.
/// </summary>
internal static class MatrixReport
{
    private static string GetPath => Path.Combine(RepositoryFiles.Root, "docs", "results", "faults.md");

    /// <param name="outcomes">The cells that were run.</param>
    /// <param name="isComplete">Whether they are all. Otherwise the lines of others are kept.</param>
    public static void Write(IReadOnlyList<CellOutcome> outcomes, bool isComplete)
    {
        string[] kept = isComplete || !File.Exists(GetPath) ? [] : [.. File.ReadLines(GetPath).Where(static line => GetKey(line) is not null)];
        var today = TimeProvider.System.GetUtcNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        var commit = MeasuredCommit.Read();
        var lines = kept.Concat(outcomes.Select(outcome => Line(outcome, today, commit)))
            .GroupBy(static line => GetKey(line)!.Value)
            .ToDictionary(static lines => lines.Key, static lines => lines.Last());
        File.WriteAllText(GetPath, Text([.. lines.OrderBy(static line => Place(line.Key)).Select(static line => line.Value)]));
    }

    private static string Text(IReadOnlyList<string> lines)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"""
            # The fault matrix

            Each line names the clients and the commit that it was measured with: {string.Join(", ", lines.Select(GetCommit).Distinct())}.

            `SAFETY=whole dotnet test --project tests/Safety` writes this page. `SAFETY=ROWS SAFETY_REPORT=1` runs some cells again, on the day that their line names.
            Machine: {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}, several concurrent cells.
            Each cell has a separate emulator, sender and consumers. The verdict is computed from ledger and journal after the last of
            them has ended. {lines.Count(IsAsExpected)} of {lines.Count} cells ended as expected.

            *Exit* is the exit code of the consumer under the fault. If it is not 0, the cause is removed and a further run must end clean. Verdict, duplicates and
            replayed events are then those of both together. One cell alone: `SAFETY=F17-all/outloop dotnet test --project tests/Safety`.

            | row | injected | strategy | expected | exit | verdict | duplicates | replayed | s | day | clients | commit | |
            |---|---|---|--:|--:|---|--:|--:|--:|---|---|---|---|

            """
        );
        text.AppendJoin('\n', lines).Append('\n');
        return text.ToString();
    }

    private static string Line(CellOutcome outcome, string day, string commit)
    {
        (var row, var verdict) = (outcome.Cell.Row, outcome.Verdict);
        var word = verdict?.Outcome switch
        {
            VerdictOutcome.Pass => "clean",
            VerdictOutcome.Fail => "failed",
            VerdictOutcome.Undecided => "undecided",
            _ => "-",
        };
        var remark = outcome.Passed ? "" : $"**{Cut(outcome.Problems[0])}**";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {row.Id} | {row.Injected} | {outcome.Cell.Strategy.Name} | {row.Expected.Exit} | {outcome.Exit} | {word} | {verdict?.DuplicateServiceBus} | {verdict?.Replayed} | {outcome.Elapsed.TotalSeconds:0.0} | {day} | {outcome.Cell.Clients} | {commit} | {remark} |"
        );
    }

    // Of a line that describes a cell: its row and strategy.
    private static (string Row, string Strategy)? GetKey(string line) =>
        line.Split('|', StringSplitOptions.TrimEntries) is ["", var row, _, var strategy, _, _, _, _, _, _, _, _, _, _, ""]
        && StrategyCatalog.Names.Contains(strategy)
            ? (row, strategy)
            : null;

    private static string GetCommit(string line) => line.Split('|', StringSplitOptions.TrimEntries)[^3];

    private static bool IsAsExpected(string line) => line.EndsWith("|  |", StringComparison.Ordinal);

    private static (int Row, int Strategy) Place((string Row, string Strategy) key) =>
        (Rows.FaultRows.All.ToList().FindIndex(known => known.Id == key.Row), StrategyCatalog.Names.ToList().IndexOf(key.Strategy));

    private static string Cut(string problem)
    {
        var line = problem.ReplaceLineEndings(" ").Replace('|', '/');
        return line.Length > 160 ? line[..160] + "…" : line;
    }
}
