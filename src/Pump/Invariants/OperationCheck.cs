using System.Runtime.CompilerServices;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// Checks the degree of a strategy whose degree bounds operations. An operation at a sink, of one event or of several, is under way until the last of its
/// events has ended.
/// </summary>
/// <param name="sink">The sink.</param>
/// <param name="partition">The partition.</param>
/// <param name="degree">The most operations under way.</param>
/// <param name="faults">Receives a breach before it is thrown.</param>
internal sealed class OperationCheck(ITrackedSink sink, string partition, int degree, ProcessingFaults faults) : ITrackedSink
{
    private int underWay;

    public string Name => sink.Name;

    public int LargestBatch => sink.LargestBatch;

    /// <inheritdoc/>
    /// <exception cref="ProcessingFaultException">More operations are under way than the degree allows.</exception>
    // Pooled: called for every write, and most of them wait.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        try
        {
            Begin(receivedEvent);
            return await sink.WriteAsync(receivedEvent, cancellationToken);
        }
        finally
        {
            Interlocked.Decrement(ref underWay);
        }
    }

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(StartBatch(events, cancellationToken));

    public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        var left = events.Count;
        try
        {
            Begin(events[0]);
        }
        catch (ProcessingFaultException breach)
        {
            Interlocked.Decrement(ref underWay);
            return [.. events.Select(_ => Task.FromException<WriteOutcome>(breach))];
        }

        return [.. sink.StartBatch(events, cancellationToken).Select(FollowAsync)];

        async Task<WriteOutcome> FollowAsync(Task<WriteOutcome> write)
        {
            try
            {
                return await write;
            }
            finally
            {
                if (Interlocked.Decrement(ref left) == 0)
                {
                    Interlocked.Decrement(ref underWay);
                }
            }
        }
    }

    private void Begin(EventSlot first)
    {
        var now = Interlocked.Increment(ref underWay);
        if (now > degree)
        {
            faults.Breach($"{now} operations in flight at {Name} on partition {partition} with event {first.SequenceNumber}, the degree allows {degree}");
        }
    }
}
