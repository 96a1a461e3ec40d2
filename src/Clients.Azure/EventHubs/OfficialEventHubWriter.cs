using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Sends events with the package's producer. May be used concurrently.</summary>
/// <param name="producer">The producer, which this writer closes. Its connection is shared and stays open.</param>
/// <param name="entity">The event hub in messages.</param>
/// <param name="failures">Converts failures to the exception of the clients.</param>
internal sealed class OfficialEventHubWriter(EventHubProducerClient producer, string entity, EventHubFailures failures) : IEventHubWriter
{
    public async Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken)
    {
        var options = new CreateBatchOptions() { PartitionKey = partitionKey, PartitionId = partitionId };
        return await failures
            .RunAsync(entity, async () => new Batch(await producer.CreateBatchAsync(options, cancellationToken).ConfigureAwait(false)), cancellationToken)
            .ConfigureAwait(false);
    }

    public async Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken)
    {
        if (batch is not Batch own)
        {
            throw new MessagingException(FailureKind.Permanent, $"{entity}: the batch was made by another writer");
        }

        if (own.Count > 0)
        {
            await failures.RunAsync(entity, () => producer.SendAsync(own.Events, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
    }

    public ValueTask DisposeAsync() => Closing.EndAsync(producer.DisposeAsync);

    // The package's batch is disposable, ours is not: it has only memory, which the garbage collector frees.
    private sealed class Batch(EventDataBatch events) : IOutgoingEventBatch
    {
        public EventDataBatch Events => events;

        public int Count => events.Count;

        public long SizeInBytes => events.SizeInBytes;

        public long MaximumSizeInBytes => events.MaximumSizeInBytes;

        public bool TryAdd(OutgoingEvent outgoingEvent) => events.TryAdd(EventConversion.ToSdk(outgoingEvent));
    }
}
