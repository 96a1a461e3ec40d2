using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing.Checkpointing;
using EventHubThroughput.Processing.Invariants;
using EventHubThroughput.Processing.Logs;
using EventHubThroughput.Processing.Tracking;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing.Sessions;

/// <summary>What becomes known of the checkpoints of one ownership: held to the invariants first, then told to the observers.</summary>
internal sealed class SessionCheckpoints(string partition, CheckpointCheck check, PartitionObserver[] observers, ILogger log) : ICheckpointListener
{
    public void Storing(EventPosition position) => check.BeforeStoring(position);

    public void Stored(EventPosition position, long events, TimeSpan elapsed)
    {
        check.Stored(position);
        foreach (var observer in observers)
        {
            observer.CheckpointStored(position, events, elapsed);
        }
    }

    public void Failed(MessagingException failure, TimeSpan elapsed)
    {
        Log.CheckpointFailed(log, partition, failure);
        foreach (var observer in observers)
        {
            observer.CheckpointFailed(elapsed);
        }
    }
}
