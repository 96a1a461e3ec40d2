using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Consumer.Running;

/// <summary>The current figures of a run, as a frame of a live view.</summary>
internal sealed class ProgressFrame(ProgressSubject subject, RunMeasurement measurement)
{
    // From this width on a line has room for the tail latency of each stage.
    private const int Wide = 100;

    /// <param name="columns">The most characters of a line.</param>
    public LiveFrame For(int columns)
    {
        var text = ProgressWords.Events(subject, measurement);
        var (share, left) = Standing();
        return new LiveFrame(share, left is { } time ? $"{text}, {LiveFrame.Left(time)} left" : text)
        {
            Above = [LiveFrame.Row($"{subject.Strategy}{subject.Setting}")],
            Below = [LiveFrame.Flow(Figures()), PlainTable.Of(PlainTable.Fitting(Stages(columns), columns))],
        };
    }

    // By the clock if the clock ends the run, otherwise by the events. The remaining time needs a measured rate.
    private (double? Share, TimeSpan? Left) Standing()
    {
        if (measurement.IsEnding)
        {
            return (1, null);
        }

        if (subject.Length is { } length)
        {
            return (measurement.Elapsed / length, length > measurement.Elapsed ? length - measurement.Elapsed : TimeSpan.Zero);
        }

        return subject.Backlog is > 0 and var backlog
            ? (
                (double)measurement.Completed / backlog,
                measurement.Measured.EventsPerSecond is > 0 and var rate ? TimeSpan.FromSeconds(Math.Max(0, backlog - measurement.Completed) / rate) : null
            )
            : default;
    }

    private IEnumerable<string> Figures()
    {
        yield return ProgressWords.Rate(measurement);
        if (subject.Prediction is { } predicted)
        {
            yield return measurement.Measured.EventsPerSecond is { } rate
                ? Text($"{100 * rate / predicted:0} % of the model's {predicted:0}")
                : Text($"model {predicted:0} events/s");
        }

        foreach (var figure in ProgressWords.Load(subject, measurement))
        {
            yield return figure;
        }
    }

    private List<TextColumn> Stages(int columns)
    {
        var section = measurement.Section;
        var rows = section
            .Stages.All.Where(static stage => stage != Stage.Window && stage != Stage.EndToEnd)
            .Select(stage => (stage.Name, Figures: StageFigures.Of(section[stage])))
            .ToList();
        List<TextColumn> table =
        [
            new("stage", [.. rows.Select(static row => row.Name)], IsText: true),
            new("count", [.. rows.Select(static row => row.Figures.Count.ToString(CultureInfo.InvariantCulture))]),
            Column("mean ms", 0, static row => row.MeanMs),
            Column("p50 ms", 1, static row => row.P50Ms),
            Column("p90 ms", 2, static row => row.P90Ms),
            Column("p99 ms", 3, static row => row.P99Ms),
        ];
        if (columns >= Wide)
        {
            table.AddRange([Column("p99.9 ms", 4, static row => row.P999Ms), Column("max ms", 5, static row => row.MaxMs)]);
        }

        return table;

        // As wide as any time, so that the columns do not move.
        TextColumn Column(string title, int rank, Func<StageFigures, double?> of) =>
            new(title, [.. rows.Select(row => of(row.Figures)?.ToString("0.00", CultureInfo.InvariantCulture) ?? "-")], rank) { LeastWidth = 9 };
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The words for the progress of a run, on a terminal and elsewhere.</summary>
internal static class ProgressWords
{
    public static string Events(ProgressSubject subject, RunMeasurement measurement)
    {
        var seconds = measurement.Elapsed.TotalSeconds.ToString("0", CultureInfo.InvariantCulture);
        var events = subject.Backlog is { } backlog
            ? $"{measurement.Completed} of {Plural.Format(backlog, "event")}"
            : Plural.Format(measurement.Completed, "event");
        return $"{events} in {seconds} s";
    }

    // The same two numbers as in the summary and the metrics.
    public static string Rate(RunMeasurement measurement) =>
        measurement switch
        {
            { IsEnding: true } => "ending",
            { Measured.Time.Ticks: 0, IsTail: false } => "warming up",
            { IsTail: true, Measured: var measured } => string.Create(
                CultureInfo.InvariantCulture,
                $"{measured.EventsPerSecond ?? 0:0.0} events/s until a partition was empty"
            ),
            { Measured: var measured } => string.Create(CultureInfo.InvariantCulture, $"{measured.EventsPerSecond ?? 0:0.0} events/s"),
        };

    /// <summary>The events in flight, the backlog and the cost, as far as they are known.</summary>
    public static IEnumerable<string> Load(ProgressSubject subject, RunMeasurement measurement)
    {
        if (subject.Load?.Invoke() is var (inFlight, lag))
        {
            yield return $"{inFlight} in flight";
            yield return $"lag {lag}";
        }

        if (measurement.ProcessorTimes.Newest is { } processors)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"CPU {100 * processors:0} % of a core");
        }
    }
}
