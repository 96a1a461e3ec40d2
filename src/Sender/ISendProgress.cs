using EventHubThroughput.Sender.Sending;

namespace EventHubThroughput.Sender;

/// <summary>Shows the progress of the sender until it is cancelled.</summary>
internal interface ISendProgress
{
    Task RunAsync(SendCounters counters, CancellationToken cancellationToken);
}
