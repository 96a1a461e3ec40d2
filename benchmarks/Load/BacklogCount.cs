using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>A consumer that does nothing with its events but count them, from the first to the last of a backlog.</summary>
internal sealed class BacklogCount(int backlog, Action done, TimeProvider clock, Func<TimeSpan> processorTime) : IPartitionHandler
{
    private readonly Lock _gate = new();

    // Under the gate.
    private long _start;
    private long _first;
    private long _count;
    private TimeSpan _processorTime;

    public Measured Measured { get; private set; }

    public Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_count == 0)
            {
                (_start, _first, _processorTime) = (clock.GetTimestamp(), batch.Events.Count, processorTime());
            }

            _count += batch.Events.Count;
            if (_count >= backlog && Measured == default)
            {
                Measured = new Measured(_count - _first, clock.GetElapsedTime(_start), processorTime() - _processorTime);
                done();
            }
        }

        return Task.CompletedTask;
    }

    public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
