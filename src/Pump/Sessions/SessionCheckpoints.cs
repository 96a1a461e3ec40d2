using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Pump.Tracking;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>What becomes known of the checkpoints of one ownership: held to the invariants before the write, reported to the observers after it.</summary>
internal sealed class SessionCheckpoints(string partition, RunningChecks checks, PartitionObserver[] observers, ILogger log) : ICheckpointListener
{
    public void Storing(EventPosition position) => checks.Storing(position);

    public void Stored(EventPosition position, long events, TimeSpan elapsed)
    {
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
