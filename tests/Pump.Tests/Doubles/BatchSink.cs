using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>A sink for several events together that answers each operation as the test sets it, successfully by default.</summary>
internal sealed class BatchSink(string name, int largest) : IBatchSink<EventSlot>
{
    private readonly Queue<Func<IReadOnlyList<EventSlot>, IReadOnlyList<Exception?>>> script = new();

    public string Name => name;

    public int LargestBatch => largest;

    /// <summary>The sequence numbers of each operation, single writes included.</summary>
    public Recorded<long[]> Operations { get; } = [];

    public BatchSink Then(Func<IReadOnlyList<EventSlot>, IReadOnlyList<Exception?>> answer)
    {
        script.Enqueue(answer);
        return this;
    }

    public async ValueTask WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        if ((await WriteBatchAsync([receivedEvent], cancellationToken))[0] is { } failure)
        {
            throw failure;
        }
    }

    public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        Operations.Add([.. events.Select(written => written.SequenceNumber)]);
        return new(script.TryDequeue(out var answer) ? answer(events) : new Exception?[events.Count]);
    }
}
