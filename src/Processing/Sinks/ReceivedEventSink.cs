using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Sinks;

/// <summary>A sink of received events as the pump sees it. The pump passes slots, which for an event hub are received events.</summary>
internal class ReceivedEventSink(ISink<ReceivedEvent> sink) : ISink<EventSlot>
{
    public string Name => sink.Name;

    public bool LimitsItself => sink.LimitsItself;

    public static ISink<EventSlot> For(ISink<ReceivedEvent> sink) =>
        sink switch
        {
            ISink<EventSlot> any => any,
            IBatchSink<ReceivedEvent> batches => new ReceivedEventBatchSink(batches),
            _ => new ReceivedEventSink(sink),
        };

    public ValueTask WriteAsync(EventSlot slot, CancellationToken cancellationToken) => sink.WriteAsync((ReceivedEvent)slot, cancellationToken);

    private sealed class ReceivedEventBatchSink(IBatchSink<ReceivedEvent> batches) : ReceivedEventSink(batches), IBatchSink<EventSlot>
    {
        public int LargestBatch => batches.LargestBatch;

        public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<EventSlot> slots, CancellationToken cancellationToken) =>
            batches.WriteBatchAsync([.. slots.Cast<ReceivedEvent>()], cancellationToken);
    }
}
