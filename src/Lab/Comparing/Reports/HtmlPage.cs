using System.Xml.Linq;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The frame of every report: one file that loads no resource and runs no script. Its own policy forbids both.</summary>
internal static class HtmlPage
{
    /// <param name="title">The title of the page.</param>
    /// <param name="version">The version of the program.</param>
    /// <param name="body">What it shows, from the top.</param>
    public static string Of(string title, string version, params IEnumerable<XElement> body) =>
        HtmlText.Of(
            new XElement(
                "html",
                new XAttribute("lang", "en"),
                new XElement(
                    "head",
                    new XElement("meta", new XAttribute("charset", "utf-8")),
                    Meta("viewport", "width=device-width, initial-scale=1"),
                    Meta("color-scheme", "light dark"),
                    Meta("generator", $"EventHubThroughput {version}"),
                    new XElement(
                        "meta",
                        new XAttribute("http-equiv", "Content-Security-Policy"),
                        new XAttribute("content", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'")
                    ),
                    new XElement("title", title),
                    new XElement("style", ReportStyle.Text)
                ),
                new XElement("body", new XElement("a", new XAttribute("class", "skip"), new XAttribute("href", "#main"), "Skip to the report"), body)
            )
        );

    /// <summary>The sections of the page, where the link in front of everything leads.</summary>
    public static XElement GetSections(IEnumerable<ReportSection> sections) =>
        new("main", new XAttribute("id", "main"), sections.Select(static section => section.ToHtml()));

    private static XElement Meta(string name, string content) => new("meta", new XAttribute("name", name), new XAttribute("content", content));
}
