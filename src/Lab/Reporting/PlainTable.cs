using EventHubThroughput.Settings;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>A column of a table of plain text.</summary>
/// <param name="Title">Its head.</param>
/// <param name="Values">Its cells, from the top. They are data, not markup.</param>
/// <param name="Rank">Columns of the highest rank are left out first where the width does not suffice. 0 is always there.</param>
/// <param name="IsText">Whether it is flush left.</param>
internal sealed record TextColumn(string Title, IReadOnlyList<string> Values, int Rank = 0, bool IsText = false)
{
    /// <summary>A line above its head.</summary>
    public string Over { get; init; } = "";

    /// <summary>The fewest characters it takes.</summary>
    public int LeastWidth { get; init; }

    public int Width => Math.Max(LeastWidth, Values.Append(Title).Append(Over).Max(static value => TerminalText.OneLine(value).GetCellWidth()));
}

/// <summary>Chooses the columns that fit, and lets Spectre.Console arrange them: without borders, blanks between columns.</summary>
internal static class PlainTable
{
    private const int UsualGap = 2;

    /// <param name="columns">The columns from the left.</param>
    /// <param name="width">The most characters of a line.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="indent">The blanks before the first column.</param>
    /// <param name="gap">The blanks between columns.</param>
    /// <returns>The titles of the columns that did not fit.</returns>
    public static IReadOnlyList<string> Write(IReadOnlyList<TextColumn> columns, int width, TextWriter output, int indent = UsualGap, int gap = UsualGap)
    {
        var shown = Fitting(columns, width, gap);
        using var text = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.No,
                ColorSystem = ColorSystemSupport.NoColors,
                Interactive = InteractionSupport.No,
                Out = new AnsiConsoleOutput(text),
                Enrichment = new ProfileEnrichment { UseDefaultEnrichers = false },
            }
        );
        console.Profile.Width = indent + GetWidth(shown, gap);
        console.Write(Of(shown, indent, gap));
        foreach (var line in text.ToString().TrimEnd().ReplaceLineEndings("\n").Split('\n'))
        {
            output.WriteLine(line.TrimEnd());
        }

        return [.. columns.Except(shown).Select(static column => column.Title)];
    }

    /// <summary>The columns that fit.</summary>
    public static IReadOnlyList<TextColumn> Fitting(IReadOnlyList<TextColumn> columns, int width, int gap = UsualGap)
    {
        var shown = columns.ToList();
        while (GetWidth(shown, gap) > width && shown.Max(static column => column.Rank) is > 0 and var least)
        {
            shown.Remove(shown.Last(column => column.Rank == least));
        }

        return shown;
    }

    /// <summary>The table of all columns, for a live view.</summary>
    public static IRenderable Of(IReadOnlyList<TextColumn> columns, int indent = UsualGap, int gap = UsualGap)
    {
        var table = new Table { Border = TableBorder.None, ShowHeaders = columns.Any(static column => column.Title.Length > 0) };
        var isOver = columns.Any(static column => column.Over.Length > 0);
        foreach (var column in columns)
        {
            table.AddColumn(
                new TableColumn(isOver ? new Rows(Cell(column.Over), Cell(column.Title)) : Cell(column.Title))
                {
                    Width = column.Width,
                    NoWrap = true,
                    Padding = new Padding(0, 0, gap, 0),
                    Alignment = column.IsText ? Justify.Left : Justify.Right,
                }
            );
        }

        for (var row = 0; row < columns[0].Values.Count; row++)
        {
            table.AddRow(columns.Select(column => Cell(column.Values[row])));
        }

        return new Padder(table, new Padding(indent, 0, 0, 0));
    }

    private static int GetWidth(IReadOnlyList<TextColumn> columns, int gap) => columns.Sum(column => column.Width + gap);

    private static Text Cell(string value) => new(TerminalText.OneLine(value)) { Overflow = Overflow.Crop };
}
