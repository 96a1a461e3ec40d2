using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender.Sending;

namespace EventHubThroughput.Sender;

/// <summary>Shows the progress of the sender as a bar below all other output of a terminal. Removes the bar at the end.</summary>
internal sealed class ProgressFrames(LiveConsole terminal, TimeProvider timeProvider) : ISendProgress
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);

    public Task RunAsync(SendCounters counters, CancellationToken cancellationToken) =>
        terminal.ShowAsync(async draw =>
        {
            var began = timeProvider.GetTimestamp();
            using var timer = new PeriodicTimer(Interval, timeProvider);
            try
            {
                while (await timer.WaitForNextTickAsync(cancellationToken))
                {
                    var rate = counters.Acknowledged / timeProvider.GetElapsedTime(began).TotalSeconds;
                    var share = (double)counters.Acknowledged / Math.Max(1, counters.Intended);
                    draw(new LiveFrame(share, string.Create(CultureInfo.InvariantCulture, $"{rate:N1} events/s")));
                }
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                // Sending has ended.
            }
        });
}
