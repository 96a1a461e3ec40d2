using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Consumer.Running;

/// <summary>What is shown while a run goes on.</summary>
/// <param name="Strategy">The strategy.</param>
/// <param name="Backlog">Events that waited at the start. Null when the hub is followed.</param>
/// <param name="Prediction">The model's rate, or null.</param>
internal sealed record ProgressSubject(string Strategy, long? Backlog, double? Prediction)
{
    /// <summary>What is said of it behind its name.</summary>
    public string Setting { get; init; } = "";

    /// <summary>After how much time it ends, the warm-up included. Null where its events end it.</summary>
    public TimeSpan? Length { get; init; }

    /// <summary>The events in flight and those not stored as complete, now. Null where nobody counts them.</summary>
    public Func<(long InFlight, long Lag)>? Load { get; init; }
}

/// <summary>Shows a run going on: a frame on a terminal, a line now and then elsewhere. Both on standard error.</summary>
internal sealed class ProgressView(ProgressSubject subject, RunMeasurement measurement, TextWriter error, TimeProvider timeProvider)
{
    private static readonly TimeSpan FrameInterval = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(2);

    /// <summary>Shows until the token is cancelled.</summary>
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
