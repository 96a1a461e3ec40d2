using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Running;

/// <summary>Records each acknowledgement of a sink before the caller receives it.</summary>
/// <param name="sink">The sink.</param>
/// <param name="writer">The record.</param>
internal class RecordedSink(ISink<ReceivedEvent> sink, AcknowledgementWriter writer) : ISink<ReceivedEvent>, IAsyncDisposable
{
    public string Name => sink.Name;

    public bool LimitsItself => sink.LimitsItself;

    /// <summary>The sink with its record, for several events in one operation if it takes them.</summary>
    public static ISink<ReceivedEvent> Over(ISink<ReceivedEvent> sink, AcknowledgementWriter writer) =>
        sink is IBatchSink<ReceivedEvent> several ? new OfBatches(several, writer) : new RecordedSink(sink, writer);

    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        await sink.WriteAsync(receivedEvent, cancellationToken);
        Record(receivedEvent);
    }

    public async ValueTask DisposeAsync()
    {
        switch (sink)
        {
            case IAsyncDisposable owned:
                await owned.DisposeAsync();
                break;
            case IDisposable owned:
                owned.Dispose();
                break;
            default:
                break;
        }
    }

    private void Record(ReceivedEvent one) => writer.Acknowledge(one.PartitionId, one.SequenceNumber, sink.Name);

    private sealed class OfBatches(IBatchSink<ReceivedEvent> several, AcknowledgementWriter writer) : RecordedSink(several, writer), IBatchSink<ReceivedEvent>
    {
        public int LargestBatch => several.LargestBatch;

        public async ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken)
        {
            var answers = await several.WriteBatchAsync(events, cancellationToken);
            foreach (var (one, failure) in events.Zip(answers))
            {
                if (failure is null)
                {
                    Record(one);
                }
            }

            return answers;
        }
    }
}
