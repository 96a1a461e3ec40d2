using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>A column of a table of plain text.</summary>
/// <param name="Title">Its head.</param>
/// <param name="Values">Its cells, from the top.</param>
/// <param name="Rank">Columns of the highest rank are left out first where the width does not suffice; 0 is always there.</param>
/// <param name="IsText">Whether it is flush left.</param>
internal sealed record TextColumn(string Title, IReadOnlyList<string> Values, int Rank = 0, bool IsText = false)
{
    public int Width => Values.Append(Title).Max(static value => value.Length);
}

/// <summary>Prints columns beside each other, as many as fit.</summary>
internal static class TextTable
{
    private const string Gap = "  ";

    /// <param name="columns">The columns from the left.</param>
    /// <param name="width">The most characters of a line.</param>
    /// <param name="output">Where to.</param>
    /// <returns>The titles of the columns that did not fit.</returns>
    public static IReadOnlyList<string> Write(IReadOnlyList<TextColumn> columns, int width, TextWriter output)
    {
        var shown = columns.ToList();
        while (WidthOf(shown) > width && shown.Max(static column => column.Rank) is > 0 and var least)
        {
            shown.Remove(shown.Last(column => column.Rank == least));
        }

        output.WriteLine(Line(shown, static column => column.Title));
        for (var row = 0; row < shown[0].Values.Count; row++)
        {
            output.WriteLine(TerminalText.OneLine(Line(shown, column => column.Values[row])));
        }

        return [.. columns.Except(shown).Select(static column => column.Title)];
    }

    private static int WidthOf(List<TextColumn> columns) => columns.Sum(static column => column.Width + Gap.Length);

    private static string Line(List<TextColumn> columns, Func<TextColumn, string> of) =>
        (Gap + string.Join(Gap, columns.Select(column => column.IsText ? of(column).PadRight(column.Width) : of(column).PadLeft(column.Width)))).TrimEnd();
}
