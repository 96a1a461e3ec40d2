using EventHubThroughput.Clients.EventHubs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump.Logs;

/// <summary>Logs an ownership: one line for each change of state, none for an event.</summary>
internal sealed class LogObserver(string partition, ILogger log) : PartitionObserver
{
    private EventPosition? stored;

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom)
    {
        stored = startedFrom;
        Log.Taken(log, partition, startedFrom is { } position ? $"event {position.SequenceNumber + 1}" : "its starting position");
    }

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) => stored = position;

    public override void Closed(bool lost)
    {
        if (lost)
        {
            Log.Lost(log, partition);
        }
        else
        {
            Log.GivenUp(log, partition, stored is { } position ? $"event {position.SequenceNumber}" : "nothing");
        }
    }
}
