using System.Text;
using EventHubThroughput.Lab.Comparing.Columns;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A comparison as Markdown for a pull request: the answer, the table, the pairs, what may be concluded, the environment.</summary>
internal static class MarkdownReport
{
    /// <summary>The text.</summary>
    public static string Of(ComparisonResult result)
    {
        var text = new StringBuilder();
        text.Append("<!-- EventHubThroughput ").Append(MarkdownTable.Encode(result.Program.Version)).Append(" -->\n\n");
        text.Append("# ").Append(MarkdownTable.Encode(result.Sentences.Count > 0 ? result.Sentences[0] : "No cell was measured.")).Append("\n\n");
        if (!result.Comparison.Complete)
        {
            text.Append("**This comparison was interrupted. The report covers the finished cells.**\n\n");
        }

        AppendStrategies(text, result);
        AppendList(text, null, result.Sentences.Skip(1));
        AppendList(text, "Supported conclusions", Conclusions.May(result));
        AppendList(text, "Limits of the comparison", Conclusions.ListLimits(result));
        text.Append("<details><summary>Pairwise comparison</summary>\n\n");
        MarkdownTable.Append(
            text,
            result.Pairs,
            ("first", false, pair => pair.First),
            ("second", false, pair => pair.Second),
            ("ratio", true, pair => Figures.Ratio(pair.Ratio)),
            ("95 % interval", true, pair => Figures.Range(pair.Ratio95, Figures.Ratio)),
            ("p", true, pair => Figures.Probability(pair.PHolm)),
            ("first faster in", true, pair => $"{pair.FasterIn} of {pair.Blocks}"),
            ("conclusion", false, pair => pair.Word)
        );
        text.Append("</details>\n\n<details><summary>Every cell</summary>\n\n");
        MarkdownTable.Append<ComparedCell>(
            text,
            result.Cells,
            [
                ("strategy", false, cell => cell.Label),
                ("block", true, cell => Figures.Count(cell.Block + 1)),
                ("place", true, cell => Figures.Count(cell.OrderInBlock + 1)),
                ("events/s", true, cell => Figures.Rate(cell.Result?.Throughput.EventsPerS)),
                ("p50 ms", true, cell => Figures.Ms(GetEvent(cell)?.P50Ms)),
                ("p99 ms", true, cell => Figures.Ms(GetEvent(cell)?.P99Ms)),
                .. result.Settings.IsOpenLoop
                    ? new (string, bool, Func<ComparedCell, string>)[]
                    {
                        ("p50 since scheduled ms", true, static cell => Figures.Ms(ComparedFigure.EndToEnd(cell.Result)?.P50Ms)),
                        ("p99 since scheduled ms", true, static cell => Figures.Ms(ComparedFigure.EndToEnd(cell.Result)?.P99Ms)),
                        ("sent/s", true, static cell => Figures.Rate(cell.Result?.Input.RateAchievedPerS)),
                    }
                    : [],
                ("off profile", true, cell => Figures.Percent(cell.ProfileMissedBy)),
                ("notes", false, cell => CellsSection.ToBeKnown(result, cell)),
            ]
        );
        text.Append("</details>\n\n<details><summary>Environment</summary>\n\n");
        MarkdownTable.Append(text, [.. EnvironmentSection.Entries(result)], ("", false, entry => entry.Name), ("", false, entry => entry.Text));
        return text.Append("</details>\n").ToString();
    }

    /// <summary>Appends the table of strategies.</summary>
    public static void AppendStrategies(StringBuilder text, ComparisonResult result) =>
        MarkdownTable.Append<ComparedStrategy>(
            text,
            result.Strategies,
            [
                .. StrategyColumns
                    .Of(result)
                    .Select(static column =>
                        (
                            column.Title,
                            !column.IsText,
                            new Func<ComparedStrategy, string>(row =>
                                column.Kind == ColumnKind.Verdict && row.Verdict == SafetyVerdict.Failed ? "**FAILED**" : column.Of(row)
                            )
                        )
                    ),
            ]
        );

    private static StageFigures? GetEvent(ComparedCell cell) => cell.Result is { } result ? ComparedSeries.Stage(result, "event") : null;

    private static void AppendList(StringBuilder text, string? title, IEnumerable<string> entries)
    {
        var all = entries.ToList();
        if (all.Count == 0)
        {
            return;
        }

        if (title is not null)
        {
            text.Append("## ").Append(title).Append("\n\n");
        }

        foreach (var entry in all)
        {
            text.Append("- ").Append(MarkdownTable.Encode(entry)).Append('\n');
        }

        text.Append('\n');
    }
}
