using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Consumer.Running;

/// <summary>The data of the progress view.</summary>
/// <param name="Strategy">The strategy.</param>
/// <param name="Backlog">Events that waited at the start. Null if the run follows the hub.</param>
/// <param name="Prediction">The predicted rate, or null.</param>
internal sealed record ProgressSubject(string Strategy, long? Backlog, double? Prediction)
{
    /// <summary>The settings that are shown after its name.</summary>
    public string Setting { get; init; } = "";

    /// <summary>The length of the run including the warm-up. Null if the number of events ends it.</summary>
    public TimeSpan? Length { get; init; }

    /// <summary>The current number of events in flight and of events that are not checkpointed. Null if they are not counted.</summary>
    public Func<(long InFlight, long Lag)>? Load { get; init; }
}

/// <summary>Shows the progress of a run on standard error: a frame on a terminal, otherwise a line at intervals.</summary>
internal sealed class ProgressView(ProgressSubject subject, RunMeasurement measurement, TextWriter error, TimeProvider timeProvider)
{
    private static readonly TimeSpan FrameInterval = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(2);

    /// <summary>Shows the progress until the token is cancelled.</summary>
    public Task RunAsync(CancellationToken ended) => error is LiveConsole terminal ? ShowFramesAsync(terminal, ended) : WriteLinesAsync(ended);

    private Task ShowFramesAsync(LiveConsole terminal, CancellationToken ended) =>
        terminal.ShowAsync(async draw =>
        {
            var frame = new ProgressFrame(subject, measurement);
            using var timer = new PeriodicTimer(FrameInterval, timeProvider);
            do
            {
                draw(frame.For(terminal.Columns));
            } while (await TickAsync(timer, ended));
        });

    private async Task WriteLinesAsync(CancellationToken ended)
    {
        using var timer = new PeriodicTimer(LineInterval, timeProvider);
        while (await TickAsync(timer, ended))
        {
            var load = string.Concat(ProgressWords.Load(subject, measurement).Select(static figure => $", {figure}"));
            await error.WriteLineAsync(
                $"{subject.Strategy}: {ProgressWords.Events(subject, measurement)}, {ProgressWords.Rate(measurement)}{(measurement.IsEnding ? "" : Model() + load)}"
            );
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

    private string Model() => subject.Prediction is { } predicted ? string.Create(CultureInfo.InvariantCulture, $" (model {predicted:0} events/s)") : "";
}
