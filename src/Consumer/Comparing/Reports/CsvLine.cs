using System.Text;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>A line of CSV after RFC 4180, with its line end.</summary>
internal static class CsvLine
{
    public static void Append(StringBuilder text, IEnumerable<string> values) => text.AppendJoin(',', values.Select(Encode)).Append("\r\n");

    // A line is a row: line ends within a text become spaces.
    private static string Encode(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        return line.IndexOfAny(['"', ',']) < 0 ? line : $"\"{line.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }
}
