using System.Globalization;
using System.Text;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A line of CSV after RFC 4180, with its line end.</summary>
internal static class CsvLine
{
    public static void Append(StringBuilder text, IEnumerable<string> values) => text.AppendJoin(',', values.Select(Encode)).Append("\r\n");

    // A line is a row: line ends within a text become spaces. A spreadsheet runs a text that begins like a formula, so an apostrophe comes before it.
    private static string Encode(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        line = IsFormula(line) ? $"'{line}" : line;
        return line.IndexOfAny(['"', ',']) < 0 ? line : $"\"{line.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }

    private static bool IsFormula(string line) =>
        line.Length > 1 && line[0] is ('=' or '+' or '-' or '@' or '\t') && !double.TryParse(line, NumberStyles.Float, CultureInfo.InvariantCulture, out _);
}
