using System.Globalization;
using System.Text;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>
/// A comparison as CSV after RFC 4180: a header, then one line for each cell. Units are in the names, numbers have all their digits, and what is
/// missing is empty.
/// </summary>
internal static class CsvReport
{
    private static readonly IReadOnlyList<CellColumn> Columns =
    [
        new("comparison", static (result, _) => result.Comparison.Id),
        new("started_utc", static (result, _) => result.Comparison.StartedUtc.UtcDateTime.ToString("O", CultureInfo.InvariantCulture)),
        new("profile", static (result, _) => result.Settings.Profile),
        new("rate", static (result, _) => result.Settings.Rate ?? ""),
        .. CellColumns.Names,
        .. CellColumns.Measured,
    ];

    /// <summary>The text, with the line ends of the RFC.</summary>
    public static string Of(ComparisonResult result)
    {
        var text = new StringBuilder();
        text.AppendJoin(',', Columns.Select(static column => column.Name)).Append("\r\n");
        foreach (var cell in result.Cells)
        {
            text.AppendJoin(',', Columns.Select(column => Encode(column.Of(result, cell)))).Append("\r\n");
        }

        return text.ToString();
    }

    // A line is a cell: line ends within a text become spaces.
    private static string Encode(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        return line.IndexOfAny(['"', ',']) < 0 ? line : $"\"{line.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }
}
