using System.Globalization;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Events;
using Spectre.Console;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>What is shown while a run goes on.</summary>
/// <param name="Strategy">The strategy.</param>
/// <param name="Backlog">Events that waited at the start; null when the hub is followed.</param>
/// <param name="Prediction">The model's rate, or null.</param>
internal sealed record ProgressSubject(string Strategy, long? Backlog, double? Prediction);

/// <summary>Shows a run going on: a live table on a terminal, a line now and then elsewhere. Both on standard error.</summary>
internal sealed class ProgressView(ProgressSubject subject, RunMeasurement measurement, TextWriter error, bool terminal, TimeProvider timeProvider)
{
    private static readonly TimeSpan TableInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(2);

    /// <summary>Shows until the token is cancelled.</summary>
    public Task RunAsync(CancellationToken ended) => terminal ? ShowTableAsync(ended) : WriteLinesAsync(ended);

    private async Task ShowTableAsync(CancellationToken ended)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(error) });
        await console
            .Live(BuildTable())
            .AutoClear(true)
            .StartAsync(async live =>
            {
                using var timer = new PeriodicTimer(TableInterval, timeProvider);
                while (await TickAsync(timer, ended))
                {
                    live.UpdateTarget(BuildTable());
                }
            });
    }

    private async Task WriteLinesAsync(CancellationToken ended)
    {
        using var timer = new PeriodicTimer(LineInterval, timeProvider);
        while (await TickAsync(timer, ended))
        {
            await error.WriteLineAsync($"{subject.Strategy}: {Progress()}, {Rate()}{(measurement.IsEnding ? "" : Model())}");
        }
    }

    private static async Task<bool> TickAsync(PeriodicTimer timer, CancellationToken ended)
    {
        try
        {
            return await timer.WaitForNextTickAsync(ended);
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            return false;
        }
    }

    private Table BuildTable()
    {
        var table = new Table().Border(TableBorder.Rounded).Title($"{subject.Strategy}{Model()}").Caption($"{Progress()}, {Rate()}");
        table.AddColumn("stage");
        table.AddColumn(new TableColumn("count").RightAligned());
        table.AddColumn(new TableColumn("mean ms").RightAligned());
        table.AddColumn(new TableColumn("p50 ms").RightAligned());
        table.AddColumn(new TableColumn("p90 ms").RightAligned());
        table.AddColumn(new TableColumn("p99 ms").RightAligned());
        var section = measurement.Section;
        foreach (var stage in section.Stages.All.Where(stage => stage != Stage.Window && stage != Stage.EndToEnd))
        {
            var row = StageFigures.Of(section[stage]);
            table.AddRow(stage.Name, $"{row.Count}", Number(row.MeanMs), Number(row.P50Ms), Number(row.P90Ms), Number(row.P99Ms));
        }

        return table;
    }

    private string Progress()
    {
        var seconds = measurement.Elapsed.TotalSeconds.ToString("0", CultureInfo.InvariantCulture);
        var events = subject.Backlog is { } backlog ? $"{measurement.Completed} of {Counted.Of(backlog, "event")}" : Counted.Of(measurement.Completed, "event");
        return $"{events} in {seconds} s";
    }

    // The same two numbers as those of the summary and the metrics.
    private string Rate() =>
        measurement switch
        {
            { IsEnding: true } => "ending",
            { Measured.Time.Ticks: 0, IsTail: false } => "warming up",
            { IsTail: true, Measured: var measured } => string.Create(
                CultureInfo.InvariantCulture,
                $"{measured.EventsPerSecond ?? 0:0.0} events/s until a partition ran dry"
            ),
            { Measured: var measured } => string.Create(CultureInfo.InvariantCulture, $"{measured.EventsPerSecond ?? 0:0.0} events/s"),
        };

    private string Model() => subject.Prediction is { } predicted ? string.Create(CultureInfo.InvariantCulture, $" (model {predicted:0} events/s)") : "";

    private static string Number(double? value) => value?.ToString("0.00", CultureInfo.InvariantCulture) ?? "-";
}
