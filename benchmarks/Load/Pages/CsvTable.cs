using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pages;

/// <summary>A table of a tool, as CSV: the titles, then the rows.</summary>
/// <param name="Titles">The titles of the columns.</param>
/// <param name="Rows">The cells of each row.</param>
internal sealed partial record CsvTable(IReadOnlyList<string> Titles, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>Parses RFC 4180 without line breaks in values.</summary>
    public static CsvTable Parse(string text)
    {
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => ParseLine(line.TrimEnd('\r'))).ToList();
        return lines.Count > 0 && lines.TrueForAll(line => line.Count == lines[0].Count)
            ? new CsvTable(lines[0], [.. lines.Skip(1)])
            : throw new UsageException("a table is empty, or its rows have different numbers of values");
    }

    /// <summary>The first table of a Markdown page.</summary>
    public static CsvTable OfMarkdown(string text)
    {
        var lines = text.Split('\n').SkipWhile(static line => !line.StartsWith('|')).TakeWhile(static line => line.StartsWith('|')).ToList();
        return new CsvTable(ParseRow(lines[0]), [.. lines.Skip(2).Select(ParseRow)]);
    }

    /// <summary>
    /// The table as Markdown, with <c>only ROW,ROW</c> a part of it, or a figure: <c>cell ROW; COLUMN</c> is a value, <c>sum COLUMN</c> adds numbers,
    /// <c>rows</c> counts rows, and <c>rows COLUMN=VALUE</c> those with a value. A row is named by its first cell, or by its first two, a
    /// column by its title or the beginning of it.
    /// </summary>
    public string Render(string view)
    {
        var words = view.Split(' ', 2);
        return words switch
        {
            [""] => GetMarkdown(),
            ["only", var names] => (this with { Rows = [.. names.Split(',').Select(GetRow)] }).GetMarkdown(),
            ["rows"] => GetText(Rows.Count),
            ["rows", var condition] => GetText(Rows.Count(row => row[Find(condition.Split('=')[0])] == condition.Split('=')[1])),
            ["sum", var column] => GetText(
                Rows.Sum(row => long.Parse(row[Find(column)], NumberStyles.Integer | NumberStyles.AllowThousands, CultureInfo.InvariantCulture))
            ),
            ["cell", var place] when place.Split("; ") is [var name, var column] => GetRow(name)[Find(column)],
            _ => throw new UsageException($"view '{view}': unknown, allowed only ROW,ROW, cell ROW; COLUMN, sum COLUMN, rows and rows COLUMN=VALUE"),
        };
    }

    private IReadOnlyList<string> GetRow(string name) =>
        Rows.FirstOrDefault(row => row[0] == name || $"{row[0]}, {row[1]}" == name) ?? throw new UsageException($"row '{name}': not in the table");

    // A title may end in what differs from run to run: "events/s, median of 5".
    private int Find(string column)
    {
        var titles = Titles.ToList();
        var place = titles.IndexOf(column);
        place = place >= 0 || column.Length == 0 ? place : titles.FindIndex(title => title.StartsWith(column, StringComparison.Ordinal));
        return place >= 0 ? place : throw new UsageException($"column '{column}': not in the table");
    }

    private string GetMarkdown()
    {
        var text = new StringBuilder();
        AppendRow(text, Titles);
        text.Append('|').AppendJoin('|', Enumerable.Range(0, Titles.Count).Select(column => IsNumber(column) ? "--:" : "---")).Append('|');
        foreach (var row in Rows)
        {
            AppendRow(text.Append('\n'), row, ends: false);
        }

        return text.ToString();
    }

    private static void AppendRow(StringBuilder text, IReadOnlyList<string> cells, bool ends = true) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(static cell => cell.Replace("|", "\\|", StringComparison.Ordinal))).Append(ends ? " |\n" : " |");

    private bool IsNumber(int column) =>
        Rows.Any(row => NumberPattern().IsMatch(row[column])) && Rows.All(row => row[column] is "" or "-" || NumberPattern().IsMatch(row[column]));

    private static IReadOnlyList<string> ParseRow(string line) => [.. line.Trim('|').Split('|', StringSplitOptions.TrimEntries)];

    private static string GetText(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static List<string> ParseLine(string line)
    {
        List<string> cells = [];
        var (cell, quoted) = (new StringBuilder(), false);
        for (var place = 0; place < line.Length; place++)
        {
            var letter = line[place];
            if (letter == '"' && quoted && place + 1 < line.Length && line[place + 1] == '"')
            {
                cell.Append('"');
                place++;
            }
            else if (letter == '"')
            {
                quoted = !quoted;
            }
            else if (letter == ',' && !quoted)
            {
                cells.Add(cell.ToString());
                cell.Clear();
            }
            else
            {
                cell.Append(letter);
            }
        }

        cells.Add(cell.ToString());
        return cells;
    }

    [GeneratedRegex(@"\A[+-]?\d[\d,]*(\.\d+)?( %)?\z", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex NumberPattern();
}
