using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>The predictions as plain text, no wider than a terminal of 80 columns except for long forms.</summary>
internal static class ModelTable
{
    private const string Simulated = "simulated";

    // Larger numbers have no decimals, so that columns stay apart.
    private const double LongestFraction = 999_999;

    public static void Write(ModelSettings settings, IReadOnlyList<ModelRow> rows, TextWriter output)
    {
        Line(output, "model", $"profile {settings.Profile.Name}, {Plural.Format(settings.Partitions, "partition")}{Keys(settings)}{Work(settings)}");
        if (settings.Writes.Count > 0)
        {
            Line(output, "writes", $"{string.Join(", ", settings.Writes)}, in place of message and blob");
        }

        Line(output, "settings", $"batch {settings.Batch}, degree {settings.Degree}, prefetch {settings.Prefetch}{Limits(settings)}");
        PlainTable.Write(
            [
                Column("strategy", 18, static row => row.Strategy.Label, isText: true),
                Column("events/s", 9, static row => Number(row.Prediction?.EventsPerSecond, 1)),
                Column("x base", 7, static row => Number(row.TimesBaseline, 2)),
                Column("p50 ms", 7, static row => Number(row.Figures?.SinceBegun.P50, 1), over: "event"),
                Column("p99 ms", 8, static row => Number(row.Figures?.SinceBegun.P99, 1), over: "event"),
                Column("flight", 7, static row => Number(row.Figures?.MeanInFlight, 1), over: "in"),
                Column("order", 9, static row => $"{row.Order}", isText: true),
                Column("repeats", 7, static row => Number(row.Replay, 0)),
            ],
            int.MaxValue,
            output,
            indent: 0,
            gap: 1
        );
        WriteForms(settings, rows, output);
        Line(output, "", "repeats: the most events of a partition that a crash delivers again");
        Line(output, "", "runs are slower: the only processor time included is --cpu-us");

        TextColumn Column(string title, int least, Func<ModelRow, string> of, string over = "", bool isText = false) =>
            new(title, [.. rows.Select(of)], IsText: isText) { Over = over, LeastWidth = least };
    }

    private static void WriteForms(ModelSettings settings, IReadOnlyList<ModelRow> rows, TextWriter output)
    {
        foreach (
            var reason in rows.Where(static row => row.Prediction is null).Select(static row => Predictor.WhyNot(row.Settings)).Distinct(StringComparer.Ordinal)
        )
        {
            Line(output, "-", reason ?? "");
        }

        var forms = rows.Where(static row => row.Prediction is not null).GroupBy(static row => row.Prediction!.Form, StringComparer.Ordinal).ToArray();
        foreach (var form in forms.Where(static form => form.Key != Simulated))
        {
            var isSimulated = form.Key.StartsWith(Simulated, StringComparison.Ordinal);
            var names = string.Join(", ", form.Select(static row => row.Strategy.Name));
            Line(output, isSimulated ? Simulated : "form", $"{names}: {(isSimulated ? form.Key[(Simulated.Length + 1)..] : form.Key)}");
        }

        if (forms.Any(static form => form.Key == Simulated))
        {
            Line(output, Simulated, $"{(forms.Length > 1 ? "the others, " : "")}{Plural.Format(settings.Events, "event")} each, seed {settings.Seed}");
        }
    }

    private static string Keys(ModelSettings settings) =>
        settings.Keys == 0 ? "" : $", {Plural.Format(settings.Keys, "key")}{(settings.KeySkew > 0 ? Text($" (Zipf {settings.KeySkew})") : "")}";

    private static string Work(ModelSettings settings) =>
        (settings.WorkMicroseconds > 0 ? Text($", {settings.WorkMicroseconds:0} us an event on {Plural.Format(settings.Processors, "processor")}") : "")
        + (settings.BlockMilliseconds > 0 ? Text($", blocked {settings.BlockMilliseconds:0} ms an event") : "");

    private static string Limits(ModelSettings settings) =>
        (settings.Window is { } window ? Text($", window {window}") : "")
        + (settings.ReplayLimit is { } replay ? Text($", replay limit {replay}") : "")
        + (settings.Checkpoints.Events is { } events ? $", checkpoint every {Plural.Format(events, "event")}" : "")
        + (settings.Checkpoints is { Events: null, Milliseconds: { } time } ? Text($", checkpoint every {time / 1_000:0.###} s") : "");

    private static void Line(TextWriter output, string title, string text) => output.WriteLine($"{title, -12}{text}");

    private static string Number(double? value, int decimals) =>
        value is { } known ? known.ToString(known < LongestFraction / Math.Pow(10, decimals) ? $"F{decimals}" : "F0", CultureInfo.InvariantCulture) : "-";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
