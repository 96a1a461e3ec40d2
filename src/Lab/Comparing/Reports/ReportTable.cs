using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A column of a table.</summary>
/// <param name="Title">Its head, with the unit.</param>
/// <param name="Content">The column's value for a row.</param>
/// <param name="IsNumber">Whether it is flush right.</param>
internal sealed record ReportColumn<T>(string Title, Func<T, object> Content, bool IsNumber = true);

/// <summary>
/// Tables whose numbers carry what the JSON has, to the last digit, in <c>data</c> elements. A table that is wider than the page scrolls by
/// itself, by keyboard too.
/// </summary>
internal static class ReportTable
{
    /// <param name="caption">What it is.</param>
    /// <param name="rows">The rows from the top.</param>
    /// <param name="columns">The columns from the left. The first names the row.</param>
    public static XElement Of<T>(string caption, IEnumerable<T> rows, params IReadOnlyList<ReportColumn<T>> columns) =>
        new(
            "div",
            new XAttribute("class", "scroll"),
            new XAttribute("tabindex", "0"),
            new XAttribute("role", "region"),
            new XAttribute("aria-label", caption),
            new XElement(
                "table",
                new XElement("caption", caption),
                new XElement("thead", new XElement("tr", columns.Select(static column => GetCell("th", column.IsNumber, column.Title, "col")))),
                new XElement(
                    "tbody",
                    rows.Select(row => new XElement(
                        "tr",
                        columns.Select((column, place) => GetCell(place == 0 ? "th" : "td", column.IsNumber, column.Content(row), place == 0 ? "row" : null))
                    ))
                )
            )
        );

    /// <summary>The table below a chart, closed until the reader opens it.</summary>
    public static XElement Numbers(XElement table) => new("details", new XElement("summary", "The numbers"), table);

    /// <summary>A number with its exact value in an attribute.</summary>
    /// <param name="value">The number. Null where it is missing.</param>
    /// <param name="form">How it is written.</param>
    public static object Number(double? value, Func<double?, string> form) =>
        value is null ? Figures.None : new XElement("data", new XAttribute("value", Figures.Exact(value)), form(value));

    /// <summary>The ends of an interval, each with its exact value in an attribute.</summary>
    public static object Range(Interval? interval, Func<double?, string> form) =>
        interval is null ? Figures.None : new[] { Number(interval.Low, form), " – ", Number(interval.High, form) };

    /// <summary>The column that names a strategy.</summary>
    public static ReportColumn<T> Strategy<T>(Func<T, ComparedSeries> of) => new("strategy", row => Name(of(row)), IsNumber: false);

    /// <summary>A column of a number of each strategy.</summary>
    public static ReportColumn<ComparedSeries> Of(string title, Func<ComparedSeries, double?> of, Func<double?, string> form) =>
        new(title, one => Number(of(one), form));

    /// <summary>A strategy's sign and name.</summary>
    public static XElement Name(ComparedSeries one) => new("span", new XAttribute("class", "name"), Drawing.Symbol(one.Look), new XElement("span", one.Label));

    private static XElement GetCell(string name, bool isNumber, object content, string? scope) =>
        new(name, isNumber ? new XAttribute("class", "n") : null, scope is null ? null : new XAttribute("scope", scope), content);
}
