using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>One operation as its sink saw it.</summary>
internal sealed record Operation(TimeSpan Begun, IReadOnlyList<long> Events);

/// <summary>
/// Takes several events in one operation, of which each event has its own end. Some are held longer or refused. For one thread only: that of the
/// virtual-time runner.
/// </summary>
internal sealed class OperationSink(VirtualClock clock, int largest, Func<CancellationToken, Task> operate) : ITrackedSink
{
    public string Name => "batches";

    public int LargestBatch => largest;

    public List<Operation> Operations { get; } = [];

    /// <summary>The outcome of an event after its operation. Nothing else by default.</summary>
    public Func<long, Task> After { get; init; } = static _ => Task.CompletedTask;

    public static OperationSink Taking(VirtualClock clock, int largest, TimeSpan latency) =>
        new(clock, largest, cancellationToken => clock.DelayAsync(latency, cancellationToken));

    public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
        await StartBatch([receivedEvent], cancellationToken)[0];

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(StartBatch(events, cancellationToken));

    public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        Operations.Add(new Operation(clock.Elapsed, [.. events.Select(one => one.SequenceNumber)]));
        var operation = operate(cancellationToken);
        return [.. events.Select(one => EndAsync(one.SequenceNumber))];

        async Task<WriteOutcome> EndAsync(long sequence)
        {
            await operation;
            await After(sequence);
            return new WriteOutcome(clock.Elapsed, 1, Throttled: false);
        }
    }
}
