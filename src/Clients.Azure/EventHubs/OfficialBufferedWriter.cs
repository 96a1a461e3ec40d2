using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Sends events with the package's buffered producer, which tells by its two handlers what became of them.</summary>
internal sealed class OfficialBufferedWriter : IBufferedEventWriter
{
    private readonly EventHubBufferedProducerClient producer;
    private readonly string entity;
    private readonly EventHubFailures failures;

    /// <param name="producer">Ours to close. The connection below it is shared and is not.</param>
    /// <param name="entity">The event hub in messages.</param>
    /// <param name="failures">Tells failures in the clients' words.</param>
    public OfficialBufferedWriter(EventHubBufferedProducerClient producer, string entity, EventHubFailures failures)
    {
        this.producer = producer;
        this.entity = entity;
        this.failures = failures;

        // Both before the first event, which the package refuses otherwise.
        producer.SendEventBatchSucceededAsync += sent => SettleAsync(sent.EventBatch, null);
        producer.SendEventBatchFailedAsync += failed => SettleAsync(failed.EventBatch, failures.EndedNow(failed.Exception, entity));
    }

    public async Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken)
    {
        var buffered = new BufferedEvent(outgoingEvent.Body, settled);
        EventConversion.Describe(buffered, outgoingEvent);
        var options = new EnqueueEventOptions() { PartitionKey = partitionKey };
        await failures.RunAsync(entity, () => producer.EnqueueEventAsync(buffered, options, cancellationToken), cancellationToken).ConfigureAwait(false);
    }

    public Task FlushAsync(CancellationToken cancellationToken) => failures.RunAsync(entity, () => producer.FlushAsync(cancellationToken), cancellationToken);

    // The package's own disposal would flush, for as long as the service takes: whoever wants that asks for it, with a limit.
    public ValueTask DisposeAsync() => Closing.EndAsync(() => new ValueTask(producer.CloseAsync(flush: false, CancellationToken.None)));

    private static Task SettleAsync(IReadOnlyList<EventData> events, MessagingException? failure)
    {
        foreach (var settled in events)
        {
            ((BufferedEvent)settled).Settled(failure);
        }

        return Task.CompletedTask;
    }

    // The package gives back the very events that it was given.
    private sealed class BufferedEvent(ReadOnlyMemory<byte> body, Action<MessagingException?> settled) : EventData(body)
    {
        public Action<MessagingException?> Settled => settled;
    }
}
