using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing.Sweeping;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>A comparison as plain text: what was compared, the answer, the table, what is to be known of it.</summary>
internal static class ComparisonText
{
    // Of what is read by programs, or through a pipe.
    private const int UsualWidth = 160;
    private const int LeastWidth = 80;

    /// <summary>The most characters of a line that a console shows.</summary>
    public static int WidthOf(CommandConsole console) => console.Columns is { } columns ? Math.Max(LeastWidth, columns) : UsualWidth;

    /// <param name="result">The comparison.</param>
    /// <param name="width">The most characters of a line of the table.</param>
    /// <param name="output">Where to.</param>
    public static void Write(ComparisonResult result, int width, TextWriter output)
    {
        var settings = result.Settings;
        Write(
            Text(
                $"{(result.Sweep is null ? "compare" : "sweep")}  {settings.Profile}, {(settings.Rate is { } rate ? $"{rate}, " : "")}{Counted.Of(settings.Partitions, "partition")}, batch {settings.Batch}, degree {settings.Degree}, {Counted.Of(settings.Repeats, "block")} of {settings.WarmupS:0.#} + {settings.MeasureS:0.#} s a cell, seed {settings.Seed}"
            )
        );
        Write(result.Sentences[0]);
        foreach (var series in result.Sweep ?? [])
        {
            SweepText.Write(series, width, output);
        }

        var missing = result.Sweep is null ? TextTable.Write(Columns(result), width, output) : [];
        foreach (var sentence in result.Sentences.Skip(1))
        {
            Write(sentence);
        }

        if (missing.Count > 0)
        {
            Write($"not shown for want of room: {string.Join(", ", missing)}");
        }

        void Write(string sentence)
        {
            foreach (var line in WrappedText.Of(sentence, width))
            {
                output.WriteLine(line);
            }
        }
    }

    private static IReadOnlyList<TextColumn> Columns(ComparisonResult result)
    {
        var rows = result.Strategies;
        var hasIntervals = rows.Any(static row => row.EventsPerS95 is not null || row.Ratio95 is not null);
        var by = result.Settings.ComparedBy;
        return
        [
            Of("strategy", static row => row.Unsafe is null ? row.Label : $"{row.Label} (unsafe)", isText: true),
            Of(ComparedFigure.RateName(by), static row => Number(row.EventsPerS, "N0")),
            .. by == ComparedBy.Sustained ? new[] { Of("not kept", static row => Number(row.NotKeptPerS, "N0")) } : [],
            .. hasIntervals && ComparedFigure.IsRate(by) ? new[] { Of("95 % interval", static row => Range(row.EventsPerS95, "N0"), rank: 3) } : [],
            Of($"x {rows[0].Label}", row => row == rows[0] ? "1" : Ratio(row)),
            .. hasIntervals ? new[] { Of("against it", static row => row.Word, rank: 4, isText: true) } : [],
            .. by == ComparedBy.Rate
                ? new[]
                {
                    Of("of model", static row => Percent(row.MeasuredToPredicted), rank: 1),
                    Of("p50 / p99 ms", static row => $"{Number(row.EventP50Ms, "0.0")} / {Number(row.EventP99Ms, "0.0")}", rank: 2),
                }
                :
                [
                    Of(
                        "since meant p50 / p99 / p99.9 ms",
                        static row => $"{Number(row.EndToEndP50Ms, "0.0")} / {Number(row.EndToEndP99Ms, "0.0")} / {Number(row.EndToEndP999Ms, "0.0")}"
                    ),
                    by == ComparedBy.Sustained
                        ? Of("of model", static row => Percent(row.EventsPerS / row.PredictedEventsPerS), rank: 1)
                        : Of("keeps up", static row => row.FallsBehindIn > 0 ? "NO" : "yes", isText: true),
                ],
            Of("order", static row => row.Order, isText: true),
            Of("repeats <=", static row => row.RepeatsAtMost.ToString("N0", CultureInfo.InvariantCulture), rank: 1),
            .. result.Settings.PricePer10000Operations is null
                ? Array.Empty<TextColumn>()
                :
                [
                    Of("checkpoints of 10^6", static row => Number(1000 * row.CheckpointsPerThousand, "N0")),
                    Of("cost of them", static row => Number(row.CheckpointCostPerMillion, "N2")),
                    Of("with uploads", static row => Number(row.StorageCostPerMillion, "N2")),
                ],
            Of("CPU us", static row => Number(row.ConsumerCpuUsPerEvent, "N0"), rank: 3),
            Of("verdict", static row => row.Verdict == SafetyVerdict.Failed ? "FAILED" : row.Verdict.ToString().ToLowerInvariant(), isText: true),
        ];

        TextColumn Of(string title, Func<ComparedStrategy, string> value, int rank = 0, bool isText = false) =>
            new(title, [.. rows.Select(value)], rank, isText);
    }

    private static string Ratio(ComparedStrategy row) =>
        row.Ratio95 is { } ends ? $"{Number(row.Ratio, "0.0#")} ({Range(ends, "0.0#")})" : Number(row.Ratio, "0.0#");

    private static string Range(Interval? interval, string format) => interval is { } ends ? $"{Number(ends.Low, format)} - {Number(ends.High, format)}" : "-";

    private static string Percent(double? share) => share is { } value ? Text($"{100 * value:0} %") : "-";

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
