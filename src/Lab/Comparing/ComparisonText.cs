using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing.Columns;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>A comparison as plain text: what was compared, the answer, the table, notes.</summary>
internal static class ComparisonText
{
    // For output that programs read, or that a pipe takes.
    private const int UsualWidth = 160;
    private const int LeastWidth = 80;

    /// <summary>The most characters of a line.</summary>
    /// <param name="columns">The columns of the console. Null where the output is not a console.</param>
    public static int GetWidth(int? columns) => columns is { } known ? Math.Max(LeastWidth, known) : UsualWidth;

    /// <param name="result">The comparison.</param>
    /// <param name="width">The most characters of a line of the table.</param>
    /// <param name="output">Receives the text.</param>
    public static void Write(ComparisonResult result, int width, TextWriter output)
    {
        var settings = result.Settings;
        Write(
            Text(
                $"{(result.Sweep is null ? "compare" : "sweep")}  {settings.Place}, {(settings.Rate is { } rate ? $"{rate}, " : "")}{Plural.Format(settings.Partitions, "partition")}, batch {settings.Batch}, degree {settings.Degree}, {Plural.Format(settings.Repeats, "block")} of {settings.WarmupS:0.#} + {settings.MeasureS:0.#} s a cell, seed {settings.Seed}"
            )
        );
        Write(result.Sentences[0]);
        foreach (var series in result.Cells.Count > 0 ? result.Sweep ?? [] : [])
        {
            SweepText.Write(series, width, output);
        }

        // Without a cell a table has only dashes.
        var missing = result is { Sweep: null, Cells.Count: > 0 } ? PlainTable.Write(GetColumns(result), width, output) : [];
        foreach (var sentence in result.Sentences.Skip(1))
        {
            Write(sentence);
        }

        if (missing.Count > 0)
        {
            Write($"columns that do not fit: {string.Join(", ", missing)}");
        }

        void Write(string sentence)
        {
            foreach (var line in WrappedText.Of(sentence, width))
            {
                output.WriteLine(line);
            }
        }
    }

    private static IReadOnlyList<TextColumn> GetColumns(ComparisonResult result) =>
        [
            .. StrategyColumns
                .Of(result)
                .Select(column => new TextColumn(
                    column.Title,
                    [.. result.Strategies.Select(row => Figures.Ascii(column.Of(row)))],
                    column.Rank,
                    column.IsText
                )),
        ];

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
