using EventHubThroughput.Sender.Sending;

namespace EventHubThroughput.Sender;

/// <summary>Shows how far the sending is, until it is cancelled.</summary>
internal interface ISendProgress
{
    Task RunAsync(SendCounters counters, CancellationToken cancellationToken);
}
