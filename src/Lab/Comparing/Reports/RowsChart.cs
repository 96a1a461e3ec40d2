namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A point of a row.</summary>
/// <param name="At">Its value.</param>
/// <param name="Title">What it is, in words.</param>
/// <param name="Kind"><c>dot</c>, or <c>dot open</c> for what counts nowhere, or <c>median</c>.</param>
internal sealed record RowPoint(double At, string Title, string Kind = "dot");

/// <summary>A bar of a row.</summary>
/// <param name="From">Where it begins.</param>
/// <param name="To">Where it ends.</param>
/// <param name="Title">What it is, in words.</param>
/// <param name="Kind"><c>bar</c>, <c>bar pale</c> or <c>whisker</c>.</param>
/// <param name="Lane">Its lane of the row's, from 0.</param>
/// <param name="Label">The text at its end. Null for none.</param>
internal sealed record RowBar(double From, double To, string Title, string Kind = "bar", int Lane = 0, string? Label = null);

/// <summary>A row of a chart.</summary>
internal sealed record ChartRow
{
    /// <summary>Whose row it is.</summary>
    public required string Label { get; init; }

    /// <summary>How that looks.</summary>
    public required StrategyAppearance Look { get; init; }

    /// <summary>Its number in a few words, placed beside it. Empty where its bars have labels.</summary>
    public string Value { get; init; } = "";

    /// <summary>Its points.</summary>
    public IReadOnlyList<RowPoint> Points { get; init; } = [];

    /// <summary>Its bars, below the points.</summary>
    public IReadOnlyList<RowBar> Bars { get; init; } = [];

    /// <summary>The place of a tick across the row, with its text. Null for none.</summary>
    public (double At, string Title)? Tick { get; init; }

    /// <summary>The row in words.</summary>
    public string Spoken => $"{Label}: {(Value.Length > 0 ? Value : string.Join(", ", Bars.Select(static bar => bar.Label).OfType<string>()))}";
}

/// <summary>A chart of a row for each strategy over one axis.</summary>
internal sealed class RowsChart : ChartForm
{
    private const double Gap = 10;
    private const double AxisHeight = 40;
    private const double MostForNames = 220;

    /// <summary>The rows from the top.</summary>
    public required IReadOnlyList<ChartRow> Rows { get; init; }

    /// <summary>The axis, without its place.</summary>
    public required Scale Axis { get; init; }

    /// <summary>What the axis measures, with its unit.</summary>
    public required string Title { get; init; }

    /// <summary>A line down all rows, with what it is. Null for none.</summary>
    public (double At, string Title)? Line { get; init; }

    /// <summary>How many lanes a row has.</summary>
    public int Lanes { get; init; } = 1;

    /// <summary>How a value is written on the axis.</summary>
    public Func<double, string> Form { get; init; } = TickText;

    /// <inheritdoc/>
    protected override Drawing Draw(double width, bool isNarrow)
    {
        var names = isNarrow ? 2 : Math.Clamp(Rows.Max(static row => TextWidth.OfBold(row.Label)), 60, MostForNames);
        var values = isNarrow ? 0 : Rows.Max(static row => TextWidth.Of(row.Value));
        var labels = Rows.SelectMany(static row => row.Bars).Max(static bar => bar.Label is { } label ? TextWidth.Of(label) : (double?)null) ?? 0;
        var axis = Axis with { From = isNarrow ? names : names + Gap, To = width - values - labels - (isNarrow ? Gap : 2 * Gap) };
        var lanes = Lanes == 1 ? 16.0 : Lanes * 14;
        var lines = Rows.Select(row => TextWidth.Wrap(row.Label, isNarrow ? width - TextWidth.Of(row.Value) - (3 * Gap) : names)).ToList();
        var more = (lines.Max(static of => of.Count) - 1) * Drawing.LineHeight;
        var rowHeight = isNarrow ? lanes + 26 + more : Math.Max(lanes, more + Drawing.LineHeight) + Drawing.LineHeight;
        var top = Line is null ? 4.0 : 18;
        var bottom = top + (Rows.Count * rowHeight);
        var drawing = new Drawing(width, bottom + AxisHeight, hasPointer: !isNarrow);
        DrawAxis(drawing, axis, top, bottom, isNarrow);
        for (var place = 0; place < Rows.Count; place++)
        {
            var row = Rows[place];
            var rowTop = top + (place * rowHeight);
            var middle = isNarrow ? rowTop + 18 + more + (lanes / 2) : rowTop + (rowHeight / 2);
            if (isNarrow)
            {
                drawing.Label(lines[place], axis.From, rowTop + 13);
                drawing.Text(row.Value, width - 2, rowTop + 13, "t n", Anchor.End);
            }
            else
            {
                drawing.Label(lines[place], names, middle + 4 - ((lines[place].Count - 1) * Drawing.LineHeight / 2), Anchor.End);
                drawing.Text(row.Value, width - 2, middle + 4, "t n", Anchor.End);
            }

            DrawRow(drawing, row, axis, middle, lanes);
        }

        return drawing;
    }

    private void DrawAxis(Drawing drawing, Scale axis, double top, double bottom, bool isNarrow)
    {
        var last = double.NegativeInfinity;
        foreach (var tick in axis.Ticks(isNarrow ? 4 : 7))
        {
            var x = axis.At(tick);
            drawing.Line("grid", x, top, x, bottom);
            var text = Form(tick);
            if (x - (TextWidth.Of(text) / 2) > last)
            {
                drawing.Tick(text, x, bottom + 16);
                last = x + (TextWidth.Of(text) / 2);
            }
        }

        drawing.Line("axis", axis.From, bottom, axis.To, bottom);
        drawing.Text(axis.IsLog ? $"{Title}, logarithmic" : Title, isNarrow ? axis.From : axis.To, bottom + 33, "t m", isNarrow ? Anchor.Start : Anchor.End);
        if (Line is { } line)
        {
            var x = axis.At(line.At);
            drawing.Line("mark", x, top, x, bottom);
            var half = TextWidth.Of(line.Title) / 2;
            drawing.Text(line.Title, Math.Clamp(x, axis.From + half, Math.Max(axis.From + half, axis.To - half)), top - 6, "t m", Anchor.Middle);
        }
    }

    private void DrawRow(Drawing drawing, ChartRow row, Scale axis, double middle, double height)
    {
        var lane = height / Lanes;
        foreach (var bar in row.Bars)
        {
            var thickness = bar.Kind == "whisker" ? 3 : Math.Min(lane - 4, 10);
            var y = middle - (height / 2) + ((bar.Lane + 0.5) * lane) - (thickness / 2);
            drawing.Bar(row.Look, axis.At(bar.From), axis.At(bar.To), y, thickness, bar.Kind, bar.Title);
            if (bar.Kind == "whisker")
            {
                foreach (var end in new[] { bar.From, bar.To })
                {
                    drawing.Bar(row.Look, axis.At(end) - 1, axis.At(end) + 1, middle - 6, 12, "cap", bar.Title);
                }
            }

            if (bar.Label is { } label)
            {
                drawing.Text(label, axis.At(bar.To) + 5, y + (thickness / 2) + 4, "t m");
            }
        }

        if (row.Tick is { } tick)
        {
            drawing.Line("mark", axis.At(tick.At), middle - (height / 2) - 2, axis.At(tick.At), middle + (height / 2) + 2);
        }

        foreach (var point in row.Points)
        {
            drawing.Point(row.Look, axis.At(point.At), middle, point.Kind == "median" ? 4.5 : 2.6, point.Kind, point.Title);
        }
    }
}
