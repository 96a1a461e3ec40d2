using EventHubThroughput.Sender.Sending;

namespace EventHubThroughput.Sender;

/// <summary>Writes the progress of the sender once a second, one line each, for logs and pipes.</summary>
internal sealed class ProgressLines(TextWriter output, TimeProvider timeProvider) : ISendProgress
{
    public async Task RunAsync(SendCounters counters, CancellationToken cancellationToken)
    {
        var began = timeProvider.GetTimestamp();
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1), timeProvider);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                var seconds = timeProvider.GetElapsedTime(began).TotalSeconds;
                await output.WriteLineAsync($"sent {counters.Acknowledged:N0} of {counters.Intended:N0}, {counters.Acknowledged / seconds:N1} events/s");
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Sending has ended.
        }
    }
}
