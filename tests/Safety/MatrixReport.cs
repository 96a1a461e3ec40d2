using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety;

/// <summary>
/// The table of all cells as a document. Each finished cell writes its line immediately, so a stopped run keeps what it has measured. Lines of rows that no longer
/// exist are dropped.
/// </summary>
/// <param name="path">The document.</param>
/// <param name="commit">What its new lines were measured with.</param>
internal sealed class MatrixReport(string path, string commit)
{
    private readonly Lock writing = new();

    public static string PagePath { get; } = Path.Combine(RepositoryFiles.Root, "docs", "results", "faults.md");

    public void Add(CellOutcome outcome)
    {
        var today = TimeProvider.System.GetUtcNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        lock (writing)
        {
            var lines = ReadLines(path);
            lines[GetKey(outcome.Cell)] = Line(outcome, today, commit);
            File.WriteAllText(path, Text([.. lines.OrderBy(static line => Place(line.Key)).Select(static line => line.Value)]));
        }
    }

    /// <summary>The cells of a document whose line was measured with a commit that is current.</summary>
    public static IReadOnlySet<(string Row, string Strategy)> ReadCells(string path, Func<string, bool> isCurrent)
    {
        var lines = ReadLines(path);
        var current = lines.Values.Select(GetCommit).Distinct().Where(isCurrent).ToHashSet();
        return lines.Where(line => current.Contains(GetCommit(line.Value))).Select(static line => line.Key).ToHashSet();
    }

    public static (string Row, string Strategy) GetKey(Cell cell) => (cell.Row.Id, cell.Strategy.Name);

    private static Dictionary<(string Row, string Strategy), string> ReadLines(string path)
    {
        var lines = new Dictionary<(string Row, string Strategy), string>();
        foreach (var line in File.Exists(path) ? File.ReadLines(path) : [])
        {
            if (GetKey(line) is { } key)
            {
                lines[key] = line;
            }
        }

        return lines;
    }

    private static string Text(IReadOnlyList<string> lines)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"""
            # The fault matrix

            Each line names the clients and the commit that it was measured with: {string.Join(", ", lines.Select(GetCommit).Distinct())}.

            `SAFETY=whole dotnet test --project tests/Safety` writes this page, each line when its cell has ended. `SAFETY=outdated` runs those that were measured
            with other sources. `SAFETY=ROWS SAFETY_REPORT=1` runs some cells again, on the day that their line names.
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
            $"| {row.Id} | {row.Injected} | {outcome.Cell.Strategy.Name} | {outcome.Cell.Expected.Exit} | {outcome.Exit} | {word} | {verdict?.DuplicateServiceBus} | {verdict?.Replayed} | {outcome.Elapsed.TotalSeconds:0.0} | {day} | {outcome.Cell.Clients} | {commit} | {remark} |"
        );
    }

    // Of a line that describes a cell of today: its row and strategy.
    private static (string Row, string Strategy)? GetKey(string line) =>
        line.Split('|', StringSplitOptions.TrimEntries) is ["", var row, _, var strategy, _, _, _, _, _, _, _, _, _, _, ""]
        && StrategyCatalog.Names.Contains(strategy)
        && Rows.FaultRows.All.Any(known => known.Id == row)
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
