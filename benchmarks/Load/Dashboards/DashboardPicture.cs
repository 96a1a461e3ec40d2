using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Reports;

namespace EventHubThroughput.Load.Dashboards;

/// <summary>A panel as the chart of a report, in a separate file.</summary>
internal static class DashboardPicture
{
    private const string Style = """
        svg { font: 12px system-ui, "DejaVu Sans", Arial, sans-serif; background: #ffffff; }
        text { fill: #1a1e23; } .m { fill: #59626d; } .b { font-weight: 600; }
        .grid { stroke: #eceff2; fill: none; } .axis { stroke: #59626d; fill: none; } .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
        @media (prefers-color-scheme: dark) { svg { background: #14171a; } text { fill: #e4e7ea; } .m { fill: #9da6b0; } .grid { stroke: #262b31; } .axis { stroke: #9da6b0; } }
        """;

    /// <param name="name">The alternative text.</param>
    /// <param name="unit">The unit of the values.</param>
    /// <param name="lines">At least one.</param>
    public static string Draw(string name, string unit, IReadOnlyList<PanelLine> lines)
    {
        var points = lines.SelectMany(static line => line.Points).ToList();
        var (first, last) = (points.Min(static point => point.X), points.Max(static point => point.X));
        var values = points.Where(static point => point.Y > 0).Select(static point => point.Y).ToList();
        var chart = new LinesChart
        {
            Name = name,
            X = Scale.Exactly(0, last - first),
            XTitle = "seconds",
            Y = Scale.Fitting(values),
            YTitle = $"{name}, {unit}",
            Lines =
            [
                .. lines.Select(line => new ChartLine
                {
                    Label = line.Label,
                    Look = StrategyColours.Of(line.Label),
                    Points =
                    [
                        .. line
                            .Points.Where(static point => point.Y > 0)
                            .Select(point => (point.X - first, point.Y, $"{line.Label}: {point.Y.ToString("0.#", CultureInfo.InvariantCulture)} {unit}")),
                    ],
                }),
            ],
        };
        var svg = chart.Draw().First();
        XNamespace space = "http://www.w3.org/2000/svg";
        foreach (var element in svg.DescendantsAndSelf())
        {
            element.Name = space + element.Name.LocalName;
        }

        svg.AddFirst(new XElement(space + "style", Style));
        return $"{svg}\n";
    }
}
