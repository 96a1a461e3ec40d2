using System.Globalization;
using System.Text;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

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
        new("profile", static (result, _) => result.Settings.Profile ?? ""),
        new("rate", static (result, _) => result.Settings.Rate ?? ""),
        .. CellColumns.Names,
        .. CellColumns.Measured,
    ];

    /// <summary>The text, with the line ends of the RFC.</summary>
    public static string Of(ComparisonResult result)
    {
        var text = new StringBuilder();
        CsvLine.Append(text, Columns.Select(static column => column.Name));
        foreach (var cell in result.Cells)
        {
            CsvLine.Append(text, Columns.Select(column => column.Of(result, cell)));
        }

        return text.ToString();
    }
}
