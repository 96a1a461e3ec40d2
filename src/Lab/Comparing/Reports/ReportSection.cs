using System.Xml.Linq;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A section of the report, and its entry among the contents.</summary>
/// <param name="Id">Where links lead.</param>
/// <param name="Title">Its heading.</param>
/// <param name="Notes">How it is to be read, a paragraph each.</param>
/// <param name="Body">Charts and tables. Notes on charts and on chapters are beside or below them, those on tables above.</param>
internal sealed record ReportSection(string Id, string Title, IReadOnlyList<string> Notes, IReadOnlyList<XElement> Body)
{
    /// <summary>A chart, or why there is none.</summary>
    /// <param name="chart">The chart. Null where nothing is to be drawn.</param>
    /// <param name="why">Why not.</param>
    public static XElement Figure(ChartForm? chart, string why) =>
        chart is null ? new XElement("p", new XAttribute("class", "none"), why) : new XElement("figure", chart.Draw());

    /// <summary>The section as HTML.</summary>
    public XElement ToHtml() =>
        new(
            "section",
            new XAttribute("id", Id),
            new XAttribute("aria-labelledby", $"{Id}-title"),
            new XElement("h2", new XAttribute("id", $"{Id}-title"), Title),
            new XElement(
                "div",
                new XAttribute("class", "columns"),
                Body.Any(static part => part.Name == "figure" || part.Name == "h3") ? new[] { BodyPart, NotesPart } : [NotesPart, BodyPart]
            )
        );

    private XElement BodyPart => new("div", new XAttribute("class", "body"), Body);

    private XElement NotesPart => new("div", new XAttribute("class", "notes"), Notes.Select(static note => new XElement("p", note)));
}
