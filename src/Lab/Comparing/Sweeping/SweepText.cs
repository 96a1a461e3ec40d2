using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Sweeping;

/// <summary>A sweep as plain text: for each of its series a table by degree, with the rate as a bar.</summary>
internal static class SweepText
{
    private const int Bar = 24;

    /// <param name="series">What was swept.</param>
    /// <param name="width">The most characters of a line.</param>
    /// <param name="output">Receives the text.</param>
    public static void Write(SweptSeries series, int width, TextWriter output)
    {
        var most = series.Degrees.Max(static one => one.EventsPerS) ?? 0;
        output.WriteLine(series.Label);
        PlainTable.Write(
            [
                Column("degree", static one => Number(one.Degree, "0")),
                Column("events/s", static one => Bracketed(one.EventsPerS, one.Excluded?.EventsPerS, "N0")),
                .. series.Degrees.All(static one => one.ProfilePredictedEventsPerS is null)
                    ? []
                    : new[] { Column("model events/s", static one => Number(one.ProfilePredictedEventsPerS, "N0")) },
                Column("of model", static one => one.EventsPerS / one.PredictedEventsPerS is { } share ? $"{Number(100 * share, "0")} %" : "-", rank: 1),
                Column("p99 ms", static one => Bracketed(one.EventP99Ms, one.Excluded?.EventP99Ms, "0.0")),
                .. series.Law is null ? [] : new[] { Column("law", static one => Number(one.LawEventsPerS, "N0"), rank: 2) },
                Column("", one => GetBar(one.EventsPerS, most) + (one.Degree == series.Recommended ? " <- use" : ""), rank: 3, isText: true),
            ],
            width,
            output
        );

        TextColumn Column(string title, Func<SweptDegree, string> value, int rank = 0, bool isText = false) =>
            new(title, [.. series.Degrees.Select(value)], rank, isText);
    }

    private static string GetBar(double? rate, double most) => rate is { } value && most > 0 ? new string('#', (int)Math.Round(Bar * value / most)) : "";

    private static string Bracketed(double? value, double? excluded, string format) =>
        value is null && excluded is not null ? $"({Number(excluded, format)})" : Number(value, format);

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";
}
