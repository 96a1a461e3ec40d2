using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Model;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Load.Article;

/// <summary>
/// Explains the values of the article's gauges. It shows the time of a write by its place in the order of ends in its batch, next to the mean and the
/// gauge. Every write overwrites the gauge, so it shows the last one, which has waited for the others.
/// </summary>
internal static class GaugeFigure
{
    private const double Width = 380;
    private const double Height = 250;
    private const double Left = 44;
    private const double Right = 14;
    private const double Top = 44;
    private const double Bottom = 40;

    private const string Style = """
        svg { font: 12px system-ui, "DejaVu Sans", Arial, sans-serif; background: #ffffff; }
        text { fill: #1a1e23; } .m { fill: #59626d; } .b { font-weight: 600; }
        .grid { stroke: #eceff2; } .axis { stroke: #59626d; } .bar { fill: #9fb8cc; }
        .mean { stroke: #59626d; stroke-dasharray: 2 3; } .gauge { stroke: #0072b2; stroke-width: 2; } .article { stroke: #d55e00; stroke-width: 2; stroke-dasharray: 6 3; }
        @media (prefers-color-scheme: dark) {
          svg { background: #14171a; } text { fill: #e4e7ea; } .m { fill: #9da6b0; } .grid { stroke: #262b31; } .axis { stroke: #9da6b0; }
          .bar { fill: #3d5a73; } .mean { stroke: #9da6b0; } .gauge { stroke: #56b4e9; } .article { stroke: #e6894d; }
        }
        """;

    public static string Of(IReadOnlyList<ArticleColumn> columns)
    {
        var shown = columns.Where(static run => run.Model.Message?.Mean * 1.1 < run.Model.Message?.ByPlace[^1]).ToList();
        var parts = new List<XElement> { new("style", Style) };
        for (var row = 0; row < shown.Count; row++)
        {
            var run = shown[row];
            parts.Add(Panel(run, "Service Bus", run.Model.Message!, run.Published.Message, MetricNames.ServiceBusStopwatch, 0, row));
            parts.Add(Panel(run, "Blob", run.Model.Blob!, run.Published.Blob, MetricNames.BlobStorageStopwatch, 1, row));
        }

        var height = (shown.Count * Height) + 34;
        parts.AddRange(Key(columns[0].Measured[0].Clients, height - 12));
        return new XElement(
            "svg",
            new XAttribute("viewBox", $"0 0 {Text(2 * Width)} {Text(height)}"),
            new XAttribute("width", Text(2 * Width)),
            new XAttribute("height", Text(height)),
            new XAttribute("role", "img"),
            new XAttribute(
                "aria-label",
                "Time of a write by its place in the batch, the mean of all writes, and what gauges showed; the numbers are in the table"
            ),
            parts
        )
            .ToString()
            .Replace("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", StringComparison.Ordinal);
    }

    private static XElement Panel(ArticleColumn run, string sink, SimulatedStep model, double published, string gauge, int column, int row)
    {
        var measured = run.Measured[0].Scrapes.GetMean(gauge) ?? model.Shown;
        var most = Math.Ceiling(model.ByPlace.Append(published).Append(measured).Max() / 10) * 10;
        var (bottom, right) = (Height - Bottom, Width - Right);
        var panel = new XElement("g", new XAttribute("transform", $"translate({Text(column * Width)} {Text(row * Height)})"));
        panel.Add(Label($"{run.Published.Strategy}, {sink}", Left, 18, "b"), Label("ms", Left - 8, Top - 10, "m", "end"));
        for (var tick = 0.0; tick <= most; tick += most > 30 ? 10 : 5)
        {
            panel.Add(Line("grid", Left, Y(tick), right, Y(tick)), Label(Text(tick), Left - 8, Y(tick) + 4, "m", "end"));
        }

        var step = (right - Left) / model.ByPlace.Count;
        foreach (var (place, value) in model.ByPlace.Index())
        {
            var x = Left + (place * step);
            panel.Add(
                new XElement(
                    "rect",
                    new XAttribute("class", "bar"),
                    new XAttribute("x", Text(x + 4)),
                    new XAttribute("y", Text(Y(value))),
                    new XAttribute("width", Text(step - 8)),
                    new XAttribute("height", Text(bottom - Y(value))),
                    new XElement("title", $"{Text(value)} ms")
                ),
                Label(Text(place + 1), x + (step / 2), bottom + 16, "m", "middle")
            );
        }

        panel.Add(
            Line("axis", Left, bottom, right, bottom),
            Line("mean", Left, Y(model.Mean), right, Y(model.Mean)),
            Line("gauge", Left, Y(measured), right, Y(measured)),
            Line("article", Left, Y(published), right, Y(published)),
            Label("place at which it ends among the writes of its batch", right, bottom + 32, "m", "end")
        );
        return panel;

        double Y(double value) => bottom - (value / most * (bottom - Top));
    }

    private static IEnumerable<XElement> Key(string clients, double y)
    {
        (string Kind, string Words)[] entries =
        [
            ("mean", "mean of all writes (model)"),
            ("gauge", $"average of the gauge, {clients} clients"),
            ("article", "average of the gauge, article"),
        ];
        foreach (var (place, (kind, words)) in entries.Index())
        {
            var x = Left + (place * 236);
            yield return Line(kind, x, y - 4, x + 24, y - 4);
            yield return Label(words, x + 30, y, "t");
        }
    }

    private static XElement Line(string kind, double fromX, double fromY, double toX, double toY) =>
        new(
            "path",
            new XAttribute("class", kind),
            new XAttribute("fill", "none"),
            new XAttribute("d", $"M{Text(fromX)} {Text(fromY)}L{Text(toX)} {Text(toY)}")
        );

    private static XElement Label(string text, double x, double y, string kind, string anchor = "start") =>
        new("text", new XAttribute("class", kind), new XAttribute("x", Text(x)), new XAttribute("y", Text(y)), new XAttribute("text-anchor", anchor), text);

    private static string Text(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);
}
