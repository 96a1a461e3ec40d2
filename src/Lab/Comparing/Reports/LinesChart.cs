namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A line of a chart.</summary>
internal sealed record ChartLine
{
    /// <summary>Whose line it is.</summary>
    public required string Label { get; init; }

    /// <summary>How that looks.</summary>
    public required StrategyAppearance Look { get; init; }

    /// <summary>Its points by x, with each in words.</summary>
    public required IReadOnlyList<(double X, double Y, string Title)> Points { get; init; }

    /// <summary>The band between the least and the largest value, by x. Empty for a line without a band.</summary>
    public IReadOnlyList<(double X, double Low, double High)> Band { get; init; } = [];

    /// <summary>Whether a value holds until the next one.</summary>
    public bool IsStepped { get; init; }
}

/// <summary>A chart of lines, each named at its end. On a phone by the key above it.</summary>
internal sealed class LinesChart : ChartForm
{
    private const double Gap = 10;
    private const double MostForNames = 200;

    /// <summary>The lines.</summary>
    public required IReadOnlyList<ChartLine> Lines { get; init; }

    /// <summary>The axis from left to right, without its place.</summary>
    public required Scale X { get; init; }

    /// <summary>What it measures, with its unit.</summary>
    public required string XTitle { get; init; }

    /// <summary>The values that are named on it. Null for round ones.</summary>
    public IReadOnlyList<(double At, string Text)>? XTicks { get; init; }

    /// <summary>The axis from the bottom up, without its place.</summary>
    public required Scale Y { get; init; }

    /// <summary>What it measures, with its unit.</summary>
    public required string YTitle { get; init; }

    /// <inheritdoc/>
    protected override Drawing Draw(double width, bool isNarrow)
    {
        var key = isNarrow ? ChartKey.Of([.. Lines.Select(static line => (line.Label, line.Look))], width) : null;
        var names = isNarrow ? 0 : Math.Clamp(Lines.Max(static line => TextWidth.OfBold(line.Label)), 60, MostForNames) + 20;
        var labels = Lines.ToDictionary(static line => line, line => TextWidth.Wrap(line.Label, names - 18));
        var labelHeight = 1 + (labels.Values.Max(static lines => lines.Count) * Drawing.LineHeight);
        var top = 24.0 + (key?.Height ?? 0);
        var bottom = top + (isNarrow ? 200 : Math.Max(250, Lines.Count * labelHeight));
        var ticks = Y.Ticks(isNarrow ? 5 : 6);
        var left = ticks.Max(static tick => TextWidth.Of(TickText(tick))) + 6;
        var x = X with { From = left, To = width - names - Gap };
        var y = Y with { From = bottom, To = top };
        var drawing = new Drawing(width, bottom + 42, hasPointer: !isNarrow);
        drawing.Text(Y.IsLog ? $"{YTitle}, logarithmic" : YTitle, 0, 12, "t m");
        foreach (var tick in ticks)
        {
            drawing.Line("grid", x.From, y.At(tick), x.To, y.At(tick));
            drawing.Text(TickText(tick), left - 6, y.At(tick) + 4, "t m", Anchor.End);
        }

        DrawX(drawing, x, bottom, isNarrow);
        foreach (var line in Lines)
        {
            DrawLine(drawing, line, x, y);
        }

        if (key is not null)
        {
            key.Draw(drawing, 30);
        }
        else
        {
            DrawLabels(drawing, x, y, labels, labelHeight);
        }

        return drawing;
    }

    private void DrawX(Drawing drawing, Scale x, double bottom, bool isNarrow)
    {
        var last = double.NegativeInfinity;
        foreach (var (at, text) in XTicks ?? [.. x.Ticks(isNarrow ? 4 : 8).Select(static tick => (tick, TickText(tick)))])
        {
            drawing.Line("axis", x.At(at), bottom, x.At(at), bottom + 4);
            if (x.At(at) - (TextWidth.Of(text) / 2) > last)
            {
                drawing.Tick(text, x.At(at), bottom + 18);
                last = x.At(at) + (TextWidth.Of(text) / 2);
            }
        }

        drawing.Line("axis", x.From, bottom, x.To, bottom);
        drawing.Text(XTitle, x.To, bottom + 36, "t m", Anchor.End);
    }

    private static void DrawLine(Drawing drawing, ChartLine line, Scale x, Scale y)
    {
        if (line.Band.Count > 1)
        {
            drawing.Area(
                line.Look,
                line.Band.Select(band => (x.At(band.X), y.At(band.High))).Concat(line.Band.Reverse().Select(band => (x.At(band.X), y.At(band.Low))))
            );
        }

        var points = line.Points.Select(point => (X: x.At(point.X), Y: y.At(point.Y))).ToList();
        if (points.Count > 1)
        {
            drawing.Curve(
                line.Look,
                line.IsStepped ? [.. points.SelectMany((point, place) => place == 0 ? [point] : new[] { (point.X, points[place - 1].Y), point })] : points
            );
        }

        if (points.Count > 60)
        {
            return;
        }

        foreach (var (point, (_, _, title)) in points.Zip(line.Points))
        {
            drawing.Point(line.Look, point.X, point.Y, 3, "dot", title);
        }
    }

    // Each beside the end of its line, moved as far as the others need.
    private void DrawLabels(Drawing drawing, Scale x, Scale y, Dictionary<ChartLine, IReadOnlyList<string>> labels, double height)
    {
        var ends = Lines
            .Where(static line => line.Points.Count > 0)
            .Select(line => (Line: line, Wanted: y.At(line.Points[^1].Y)))
            .OrderBy(static end => end.Wanted)
            .ToList();
        var places = Spread([.. ends.Select(static end => end.Wanted)], y.To + 4, y.From, height);
        foreach (var ((line, wanted), place) in ends.Zip(places))
        {
            var end = x.At(line.Points[^1].X);
            drawing.Line("leader", end + 5, wanted, x.To + 5, place);
            drawing.Point(line.Look, x.To + 10, place, 3, "dot", line.Label);
            drawing.Label(labels[line], x.To + 18, place + 4 - ((labels[line].Count - 1) * Drawing.LineHeight / 2));
        }
    }

    private static double[] Spread(double[] wanted, double low, double high, double height)
    {
        var places = (double[])wanted.Clone();
        for (var i = 0; i < places.Length; i++)
        {
            places[i] = Math.Max(places[i], i == 0 ? low : places[i - 1] + height);
        }

        for (var i = places.Length - 1; i >= 0; i--)
        {
            places[i] = Math.Min(places[i], i == places.Length - 1 ? high : places[i + 1] - height);
        }

        return places;
    }
}
