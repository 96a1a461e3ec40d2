using System.Text;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Tables and texts of a report in Markdown.</summary>
internal static class MarkdownTable
{
    private const string None = "-";

    /// <summary>A text without markup of Markdown or HTML.</summary>
    public static string Encode(string text)
    {
        var encoded = new StringBuilder(text.Length);
        foreach (var letter in text.Where(static letter => !TerminalText.IsDirectional(letter)))
        {
            encoded.Append(
                letter switch
                {
                    '&' => "&amp;",
                    '<' => "&lt;",
                    '>' => "&gt;",
                    '|' or '\\' or '`' or '*' or '_' or '[' or ']' or '#' or '~' or '@' => $"\\{letter}",
                    < ' ' or (>= (char)0x7F and < (char)0xA0) or '\u2028' or '\u2029' => " ",
                    _ => letter,
                }
            );
        }

        return encoded.ToString();
    }

    /// <summary>A table, or that there is nothing for one.</summary>
    public static void Append<T>(StringBuilder text, IReadOnlyList<T> rows, params IReadOnlyList<(string Title, bool IsNumber, Func<T, string> Of)> columns)
    {
        if (rows.Count == 0)
        {
            text.Append("None.\n\n");
            return;
        }

        text.Append("| ").AppendJoin(" | ", columns.Select(static column => Encode(column.Title))).Append(" |\n");
        text.Append('|').AppendJoin('|', columns.Select(static column => column.IsNumber ? "--:" : "---")).Append("|\n");
        foreach (var row in rows)
        {
            text.Append("| ").AppendJoin(" | ", columns.Select(column => GetContent(column.Of(row)))).Append(" |\n");
        }

        text.Append('\n');
    }

    // Text that this class itself makes bold does not come from outside.
    private static string GetContent(string content) =>
        content switch
        {
            Figures.None or "" => None,
            "**FAILED**" => content,
            _ => Encode(content),
        };
}
