using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>
/// A whole verdict as plain text. It begins with its scope. Every number follows under its name in the result file, by whether it is good, bad or neither.
/// Charges, limits, and one line of conclusion are at the end.
/// </summary>
internal static class VerdictText
{
    private const int LeastWidth = 72;
    private const int TitleWidth = 28;
    private const int NameWidth = 33;
    private const int NumberWidth = 6;

    // Two blanks before each column.
    private const int BeforeMeaning = 2 + NameWidth + 2 + NumberWidth + 2;

    /// <param name="judged">The run and its verdict.</param>
    /// <param name="safety">The figures of the verdict.</param>
    /// <param name="orderIsJudged">Whether an order was guaranteed.</param>
    /// <param name="columns">The width of the terminal, in which long texts continue below their begin. Null for lines of any length.</param>
    /// <param name="output">Receives the text.</param>
    public static void Write(JudgedRun judged, SafetyFigures safety, bool orderIsJudged, int? columns, TextWriter output)
    {
        var width = columns is { } known ? Math.Max(LeastWidth, known) : int.MaxValue;
        var (verdict, scope) = (judged.Verdict, judged.Scope);
        Line("run", verdict.Run ?? "none");
        Line("events", $"event hub '{scope.Hub}', consumer group '{scope.Group}'");
        Line("sinks", $"{GetSinks(scope)}, dead letters in '{scope.DeadLetterContainer}'");
        Line("checkpoints in", $"'{scope.CheckpointContainer}'");
        Line("guaranteed order", orderIsJudged ? OrderPromises.GetName(scope.Promise) : "not given, so order is counted and not verified");

        var groups = new VerdictGroups(judged, safety, orderIsJudged);
        Group("Counts:", groups.Counted);
        Group($"Guarantees, broken unless 0: {Sum(groups.Promises)}", groups.Promises);
        Group("Not verified:", groups.NotJudged);
        output.WriteLine();
        foreach (var charge in verdict.Charges)
        {
            Line("charge", $"{charge.Field} {charge.Count}, first: {charge.Example}");
        }

        foreach (var note in judged.Notes)
        {
            Line("note", note);
        }

        Wrap(verdict.Summary, "  ");

        void Line(string title, string text) => Wrap($"{title.PadRight(TitleWidth)}{text}", new string(' ', TitleWidth));

        void Wrap(string text, string indent)
        {
            foreach (var line in WrappedText.Of(text, width, indent))
            {
                output.WriteLine(line);
            }
        }

        void Group(string title, IReadOnlyList<VerdictRow> rows)
        {
            if (rows.Count == 0)
            {
                return;
            }

            output.WriteLine();
            Wrap(title, "  ");
            var lines = rows.SelectMany(row =>
                    WrappedText
                        .Of(row.Meaning, width - BeforeMeaning, indent: "")
                        .Select((text, index) => index == 0 ? row with { Meaning = text } : new VerdictRow("", "", text))
                )
                .ToList();
            PlainTable.Write(
                [
                    new("", [.. lines.Select(static row => row.Name)], IsText: true) { LeastWidth = NameWidth },
                    new("", [.. lines.Select(static row => row.Value)]) { LeastWidth = NumberWidth },
                    new("", [.. lines.Select(static row => row.Meaning)], IsText: true),
                ],
                int.MaxValue,
                output
            );
        }
    }

    private static string GetSinks(VerificationScope scope) =>
        scope.Sinks switch
        {
            SinkSet.Handlers => $"handlers {string.Join(", ", scope.Handlers)}, by the consumer's own record",
            SinkSet.Queue => $"'{scope.MessageEntity}' alone",
            SinkSet.Archive => $"container '{scope.ArchiveContainer}' only",
            _ => $"'{scope.MessageEntity}' and container '{scope.ArchiveContainer}'",
        };

    private static string Sum(IReadOnlyList<VerdictRow> rows) =>
        rows.Where(row => row.Value != "0").Select(row => row.Name).ToList() is { Count: > 0 } broken
            ? $"{broken.Count} of {rows.Count} {(broken.Count == 1 ? "is" : "are")} not 0 ({string.Join("; ", broken)})"
            : $"all {rows.Count} are 0";
}
