using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender.Sending;

namespace EventHubThroughput.Sender;

/// <summary>Shows how far the sending is as a bar below everything else on a terminal, and takes it away at the end.</summary>
internal sealed class ProgressFrames(LiveTerminal terminal, TimeProvider timeProvider) : ISendProgress
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    public async Task RunAsync(SendCounters counters, CancellationToken cancellationToken)
    {
        var began = timeProvider.GetTimestamp();
        using var timer = new PeriodicTimer(Interval, timeProvider);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                var rate = counters.Acknowledged / timeProvider.GetElapsedTime(began).TotalSeconds;
                var share = (double)counters.Acknowledged / Math.Max(1, counters.Intended);
                terminal.Show([ProgressBar.Line(share, string.Create(CultureInfo.InvariantCulture, $"{rate:N1} events/s"), terminal.Columns)]);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The sending is over.
        }
        finally
        {
            terminal.Show([]);
        }
    }
}
