using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Running;

/// <summary>Follows the stored checkpoints of one partition through the backlog, and shows what is left as its lag.</summary>
internal sealed class BacklogProgress(string partition, Backlog backlog, ConsumerMetrics metrics) : PartitionObserver
{
    // Another consumer may have stored the last checkpoint between our reading and our claim. Then no event will report it.
    public override void Opened(IPartitionLoad load, EventPosition? startedFrom)
    {
        if (startedFrom is { } position)
        {
            Confirm(position);
        }
    }

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) => Confirm(position);

    private void Confirm(EventPosition position) => metrics.ForPartition(partition).Lag.Set(backlog.Confirm(partition, position.SequenceNumber));
}
