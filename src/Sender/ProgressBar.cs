using EventHubThroughput.Sender.Sending;
using Spectre.Console;

namespace EventHubThroughput.Sender;

/// <summary>Shows a moving bar on a terminal.</summary>
internal sealed class ProgressBar(TextWriter output, TimeProvider timeProvider) : ISendProgress
{
    private static readonly TimeSpan Refresh = TimeSpan.FromMilliseconds(200);

    public async Task RunAsync(SendCounters counters, CancellationToken cancellationToken)
    {
        var terminal = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(output) });
        await terminal
            .Progress()
            .AutoClear(true)
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn())
            .StartAsync(context => ShowAsync(context, counters, cancellationToken));
    }

    private async Task ShowAsync(ProgressContext context, SendCounters counters, CancellationToken cancellationToken)
    {
        var began = timeProvider.GetTimestamp();
        var bar = context.AddTask("sending", maxValue: Math.Max(1, counters.Intended));
        using var timer = new PeriodicTimer(Refresh, timeProvider);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                bar.Value = counters.Acknowledged;
                bar.Description = $"{counters.Acknowledged / timeProvider.GetElapsedTime(began).TotalSeconds:N1} events/s";
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The sending is over.
        }
    }
}
