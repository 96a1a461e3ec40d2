using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>A consumer without a strategy's rules: it does one thing with its events and counts them, from those behind a warm-up to the last of a backlog.</summary>
/// <param name="backlog">How many there are.</param>
/// <param name="warmUp">How many of them are not counted: until then code is compiled and buffers grow.</param>
/// <param name="treatAsync">What is done with each event, several of a partition at once; null does nothing.</param>
/// <param name="done">Told when all of them have come.</param>
/// <param name="clock">The clock.</param>
/// <param name="spent">Reads what both ends have used up.</param>
internal sealed class BacklogCount(
    int backlog,
    int warmUp,
    Func<ReceivedEvent, CancellationToken, ValueTask>? treatAsync,
    Action done,
    TimeProvider clock,
    Func<Spent> spent
) : IPartitionHandler
{
    private const int UnderWay = 16;

    private readonly Lock _gate = new();

    // Under the gate.
    private long _start;
    private long _first;
    private long _count;
    private Spent _before;

    public Measured Measured { get; private set; }

    public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        if (treatAsync is not null)
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = UnderWay, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(batch.Events, options, treatAsync);
        }

        lock (_gate)
        {
            _count += batch.Events.Count;
            if (_first == 0 && _count >= warmUp)
            {
                (_start, _first, _before) = (clock.GetTimestamp(), _count, spent());
            }
            else if (_count >= backlog && Measured == default)
            {
                Measured = new Measured(_count - _first, clock.GetElapsedTime(_start), spent() - _before);
                done();
            }
        }
    }

    public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
