using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The rates as bars on one linear scale, each with its verdict. A hundredfold difference looks like one.</summary>
internal static class RateBars
{
    private const int Length = 1000;
    private const int Height = 10;

    // A bar of a hundredth would not be seen on a phone.
    private const double Least = 2;

    /// <summary>The list. Null for cells at a given rate, and without any rate.</summary>
    public static XElement? Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var most = all.Max(GetRate);
        var reference = result.Sweep is null ? result.Strategies[0].Label : null;
        return !result.Settings.IsOpenLoop && most > 0
            ? new XElement(
                "ul",
                new XAttribute("class", "rates"),
                new XAttribute("aria-label", "Rates and verdicts"),
                all.Select(one => GetRow(one, GetRate(one) / most.Value, reference))
            )
            : null;
    }

    private static double? GetRate(ComparedSeries one) => one.Strategy.EventsPerS ?? one.Strategy.Excluded?.EventsPerS;

    private static XElement GetRow(ComparedSeries one, double? share, string? reference) =>
        new(
            "li",
            new XElement("span", new XAttribute("class", "name"), Drawing.Symbol(one.Look), one.Label),
            new XElement(
                "svg",
                new XAttribute("class", one.Strategy.EventsPerS is null ? "bar pale" : "bar"),
                new XAttribute("viewBox", $"0 0 {Length} {Height}"),
                new XAttribute("preserveAspectRatio", "none"),
                new XAttribute("aria-hidden", "true"),
                share is { } known
                    ? new XElement(
                        "rect",
                        new XAttribute("width", Math.Max(Least, known * Length).ToString("0.#", CultureInfo.InvariantCulture)),
                        new XAttribute("height", Height),
                        new XAttribute("fill", one.Look.Colour)
                    )
                    : null
            ),
            new XElement("span", new XAttribute("class", "figure"), GetFigure(one.Strategy, reference)),
            StrategiesSection.Badge(one.Strategy.Verdict)
        );

    // The ratios of a sweep refer to its first point, which the list may not have.
    private static string GetFigure(ComparedStrategy one, string? reference) =>
        one switch
        {
            { EventsPerS: { } rate, Ratio: { } ratio } when reference is not null && reference != one.Label =>
                $"{Figures.Rate(rate)} events/s, {Figures.Ratio(ratio)} x {reference}",
            { EventsPerS: { } rate } => $"{Figures.Rate(rate)} events/s",
            { Excluded.EventsPerS: { } rate } => $"({Figures.Rate(rate)} events/s, excluded)",
            _ => "no rate",
        };
}
