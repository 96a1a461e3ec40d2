namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The names of lines above a chart that has no room beside them: in two columns, or in one if a name is too long.</summary>
internal sealed class ChartKey
{
    private const double Gap = 4;
    private const double Indent = 16;

    private readonly IReadOnlyList<(IReadOnlyList<string> Lines, StrategyAppearance Look)> names;
    private readonly double column;
    private readonly int columns;

    private ChartKey(IReadOnlyList<(IReadOnlyList<string> Lines, StrategyAppearance Look)> names, double column, int columns) =>
        (this.names, this.column, this.columns) = (names, column, columns);

    /// <summary>Its height in pixels.</summary>
    public double Height => names.Chunk(columns).Sum(GetHeight);

    /// <summary>The key of these names.</summary>
    public static ChartKey Of(IReadOnlyList<(string Name, StrategyAppearance Look)> names, double width)
    {
        var across = names.Any(one => TextWidth.OfBold(one.Name) > (width / 2) - Indent - Gap) ? 1 : 2;
        return new ChartKey([.. names.Select(one => (TextWidth.Wrap(one.Name, (width / across) - Indent - Gap), one.Look))], width / across, across);
    }

    /// <param name="drawing">Where to draw.</param>
    /// <param name="top">The base of the first line.</param>
    public void Draw(Drawing drawing, double top)
    {
        foreach (var row in names.Chunk(columns))
        {
            for (var place = 0; place < row.Length; place++)
            {
                drawing.Point(row[place].Look, (place * column) + 6, top - 4, 4, "dot", "");
                drawing.Label(row[place].Lines, (place * column) + Indent, top);
            }

            top += GetHeight(row);
        }
    }

    private static double GetHeight((IReadOnlyList<string> Lines, StrategyAppearance Look)[] row) =>
        Gap + (row.Max(static one => one.Lines.Count) * Drawing.LineHeight);
}
