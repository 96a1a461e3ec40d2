using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Sends events with the package's producer. May be used concurrently.</summary>
/// <param name="producer">Ours to close; the connection below it is shared and is not.</param>
/// <param name="entity">The event hub in messages.</param>
internal sealed class OfficialEventHubWriter(EventHubProducerClient producer, string entity) : IEventHubWriter
{
    public async Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken)
    {
        var options = new CreateBatchOptions() { PartitionKey = partitionKey, PartitionId = partitionId };
        try
        {
            return new Batch(await producer.CreateBatchAsync(options, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception exception) when (!EventHubFailures.IsCancellation(exception, cancellationToken))
        {
            throw EventHubFailures.Of(exception, entity);
        }
    }

    public async Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken)
    {
        if (batch is not Batch own)
        {
            throw new MessagingException(FailureKind.Permanent, $"{entity}: the batch was made by another writer");
        }

        if (own.Count == 0)
        {
            return;
        }

        try
        {
            await producer.SendAsync(own.Events, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (!EventHubFailures.IsCancellation(exception, cancellationToken))
        {
            throw EventHubFailures.Of(exception, entity);
        }
    }

    public ValueTask DisposeAsync() => Closing.EndAsync(producer.DisposeAsync);

    // The package's batch wants to be disposed of, ours does not: it holds nothing but memory, which the collector takes.
    private sealed class Batch(EventDataBatch events) : IOutgoingEventBatch
    {
        public EventDataBatch Events => events;

        public int Count => events.Count;

        public long SizeInBytes => events.SizeInBytes;

        public bool TryAdd(OutgoingEvent outgoingEvent) => events.TryAdd(EventConversion.ToSdk(outgoingEvent));
    }
}
