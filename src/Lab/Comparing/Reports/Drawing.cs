using System.Globalization;
using System.Xml.Linq;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Where a text is placed from its point.</summary>
internal enum Anchor
{
    Start,
    Middle,
    End,
}

/// <summary>
/// A drawing as inline SVG. Texts and lines take their colours from the style sheet by their class, so that they turn with light and dark.
/// What belongs to a strategy has the colour of the strategy.
/// </summary>
/// <param name="width">In pixels, as the texts count.</param>
/// <param name="height">In pixels.</param>
/// <param name="hasPointer">
/// Whether the reader can point at a part to read its title. On a phone there is none: titles are left out, and points that look alike are one path.
/// </param>
internal sealed class Drawing(double width, double height, bool hasPointer = true)
{
    /// <summary>From one line of a text to the next one.</summary>
    public const double LineHeight = 14;

    private const string Open = "open";

    private readonly List<XElement> parts = [];

    // The path of the point that was drawn last, and how it looks. Null if another shape was drawn since.
    private (XAttribute Path, StrategyAppearance Look, string Kind)? lastPoint;

    /// <summary>The drawing as one image.</summary>
    /// <param name="name">The text alternative, for screen readers.</param>
    /// <param name="kind">Its class.</param>
    public XElement ToSvg(string name, string kind) =>
        new(
            "svg",
            new XAttribute("class", kind),
            new XAttribute("viewBox", $"0 0 {Number(width)} {Number(height)}"),
            new XAttribute("width", Number(width)),
            new XAttribute("height", Number(height)),
            new XAttribute("role", "img"),
            new XAttribute("aria-label", name),
            parts
        );

    /// <summary>The point of a strategy as a sign before its name. Nothing to be read aloud.</summary>
    public static XElement Symbol(StrategyAppearance look)
    {
        var drawing = new Drawing(14, 14, hasPointer: false);
        drawing.Point(look, 7, 7, 4.5, "dot", "");
        return new XElement(
            "svg",
            new XAttribute("class", "symbol"),
            new XAttribute("viewBox", "0 0 14 14"),
            new XAttribute("width", "14"),
            new XAttribute("height", "14"),
            new XAttribute("aria-hidden", "true"),
            drawing.parts
        );
    }

    /// <summary>A line of the axes or of the grid.</summary>
    public void Line(string kind, double fromX, double fromY, double toX, double toY) =>
        parts.Add(new XElement("path", new XAttribute("class", kind), new XAttribute("d", $"M{Number(fromX)} {Number(fromY)}L{Number(toX)} {Number(toY)}")));

    /// <summary>A text on one line.</summary>
    public void Text(string text, double x, double y, string kind = "t", Anchor anchor = Anchor.Start)
    {
        var element = new XElement("text", new XAttribute("class", kind), new XAttribute("x", Number(x)), new XAttribute("y", Number(y)));
        if (anchor != Anchor.Start)
        {
            element.Add(new XAttribute("text-anchor", anchor == Anchor.End ? "end" : "middle"));
        }

        element.Add(text);
        parts.Add(element);
    }

    /// <summary>A value below its place on an axis, within the drawing.</summary>
    public void Tick(string text, double x, double y)
    {
        // The signs + and − are wider than digits.
        var half = (TextWidth.Of(text) / 2) + 2;
        Text(text, Math.Clamp(x, half, width - half), y, "t m", Anchor.Middle);
    }

    /// <summary>The lines of a strategy's name, downwards.</summary>
    public void Label(IReadOnlyList<string> lines, double x, double y, Anchor anchor = Anchor.Start)
    {
        for (var line = 0; line < lines.Count; line++)
        {
            Text(lines[line], x, y + (line * LineHeight), "t b", anchor);
        }
    }

    /// <summary>A line through points, in a strategy's colour.</summary>
    public void Curve(StrategyAppearance look, IReadOnlyList<(double X, double Y)> points)
    {
        var element = new XElement(
            "path",
            new XAttribute("class", "curve"),
            new XAttribute("stroke", look.Colour),
            new XAttribute("d", $"M{string.Join('L', points.Select(static point => $"{Number(point.X)} {Number(point.Y)}"))}")
        );
        if (look.Dash is { } dash)
        {
            element.Add(new XAttribute("stroke-dasharray", dash));
        }

        parts.Add(element);
    }

    /// <summary>An area between its corners, in a strategy's colour, pale.</summary>
    public void Area(StrategyAppearance look, IEnumerable<(double X, double Y)> corners) =>
        parts.Add(
            new XElement(
                "path",
                new XAttribute("class", "area"),
                new XAttribute("fill", look.Colour),
                new XAttribute("d", $"M{string.Join('L', corners.Select(static point => $"{Number(point.X)} {Number(point.Y)}"))}Z")
            )
        );

    /// <summary>A bar, in a strategy's colour.</summary>
    public void Bar(StrategyAppearance look, double fromX, double toX, double y, double thickness, string kind, string title) =>
        parts.Add(
            new XElement(
                "rect",
                new XAttribute("class", kind),
                new XAttribute("fill", look.Colour),
                new XAttribute("x", Number(Math.Min(fromX, toX))),
                new XAttribute("y", Number(y)),
                new XAttribute("width", Number(Math.Max(Math.Abs(toX - fromX), 0.5))),
                new XAttribute("height", Number(thickness)),
                hasPointer ? new XElement("title", title) : null
            )
        );

    /// <summary>A span over several rows that belongs to no strategy's colour.</summary>
    public void Shade(double fromX, double toX, double y, double height, string kind) =>
        parts.Add(
            new XElement(
                "rect",
                new XAttribute("class", kind),
                new XAttribute("x", Number(fromX)),
                new XAttribute("y", Number(y)),
                new XAttribute("width", Number(Math.Max(toX - fromX, 0.5))),
                new XAttribute("height", Number(height))
            )
        );

    /// <summary>A point, in a strategy's colour and form.</summary>
    public void Point(StrategyAppearance look, double x, double y, double radius, string kind, string title)
    {
        var form = GetPath(look.Shape, x, y, radius);
        if (!hasPointer && lastPoint is { } last && parts[^1] == last.Path.Parent && (last.Look, last.Kind) == (look, kind))
        {
            last.Path.Value += form;
            return;
        }

        // The style sheet selects which of the two counts: an open point has a line, any other an area.
        XAttribute path = new("d", form);
        parts.Add(
            new XElement(
                "path",
                new XAttribute("class", kind),
                new XAttribute(kind.Contains(Open, StringComparison.Ordinal) ? "stroke" : "fill", look.Colour),
                path,
                hasPointer ? new XElement("title", title) : null
            )
        );
        lastPoint = (path, look, kind);
    }

    private static string GetPath(MarkShape shape, double x, double y, double r) =>
        shape switch
        {
            MarkShape.Square => Closed(
                (x - (0.88 * r), y - (0.88 * r)),
                (x + (0.88 * r), y - (0.88 * r)),
                (x + (0.88 * r), y + (0.88 * r)),
                (x - (0.88 * r), y + (0.88 * r))
            ),
            MarkShape.Diamond => Closed((x, y - (1.3 * r)), (x + (1.3 * r), y), (x, y + (1.3 * r)), (x - (1.3 * r), y)),
            MarkShape.TriangleUp => Closed((x, y - (1.25 * r)), (x + (1.15 * r), y + (0.8 * r)), (x - (1.15 * r), y + (0.8 * r))),
            MarkShape.TriangleDown => Closed((x, y + (1.25 * r)), (x + (1.15 * r), y - (0.8 * r)), (x - (1.15 * r), y - (0.8 * r))),
            _ => $"M{Number(x - r)} {Number(y)}a{Number(r)} {Number(r)} 0 1 0 {Number(2 * r)} 0a{Number(r)} {Number(r)} 0 1 0 {Number(-2 * r)} 0Z",
        };

    private static string Closed(params (double X, double Y)[] corners) =>
        $"M{string.Join('L', corners.Select(static corner => $"{Number(corner.X)} {Number(corner.Y)}"))}Z";

    private static string Number(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);
}
