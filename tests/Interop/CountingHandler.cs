using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Interop;

/// <summary>Counts the events of all partitions, checkpoints every batch, and stops the processor at a number.</summary>
internal sealed class CountingHandler
{
    private readonly Lock _lock = new();

    // Under the lock.
    private int _seen;
    private int _limit;
    private CancellationTokenSource? _stop;

    public int Seen
    {
        get
        {
            lock (_lock)
            {
                return _seen;
            }
        }
    }

    public void ReachesAt(int limit, CancellationTokenSource stop)
    {
        lock (_lock)
        {
            (_limit, _stop) = (limit, stop);
        }
    }

    public IPartitionHandler Open(IOwnedPartition partition) => new Handler(this, partition);

    private CancellationTokenSource? Add(int count)
    {
        lock (_lock)
        {
            _seen += count;
            return _seen >= _limit ? _stop : null;
        }
    }

    private sealed class Handler(CountingHandler owner, IOwnedPartition partition) : IPartitionHandler
    {
        public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
        {
            if (batch.Events.Count == 0)
            {
                return;
            }

            await partition.CheckpointAsync(new EventPosition(batch.Events[^1].SequenceNumber, batch.Events[^1].Offset), cancellationToken);
            if (owner.Add(batch.Events.Count) is { } stop)
            {
                await stop.CancelAsync();
            }
        }

        public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
