using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>A consumer that does nothing with its events but count them, from the first to the last of a backlog.</summary>
internal sealed class BacklogCount(int backlog, Action done, TimeProvider clock, Func<Spent> spent) : IPartitionHandler
{
    private readonly Lock _gate = new();

    // Under the gate.
    private long _start;
    private long _first;
    private long _count;
    private Spent _before;

    public Measured Measured { get; private set; }

    public Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_count == 0)
            {
                (_start, _first, _before) = (clock.GetTimestamp(), batch.Events.Count, spent());
            }

            _count += batch.Events.Count;
            if (_count >= backlog && Measured == default)
            {
                Measured = new Measured(_count - _first, clock.GetElapsedTime(_start), spent() - _before);
                done();
            }
        }

        return Task.CompletedTask;
    }

    public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
