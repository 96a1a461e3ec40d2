using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Sends events with the package's buffered producer, whose two handlers report the outcomes.</summary>
internal sealed class OfficialBufferedWriter : IBufferedEventWriter
{
    private readonly EventHubBufferedProducerClient producer;
    private readonly string entity;
    private readonly EventHubFailures failures;

    /// <param name="producer">The producer, which this writer closes. Its connection is shared and stays open.</param>
    /// <param name="entity">The event hub in messages.</param>
    /// <param name="failures">Converts failures to the exception of the clients.</param>
    public OfficialBufferedWriter(EventHubBufferedProducerClient producer, string entity, EventHubFailures failures)
    {
        this.producer = producer;
        this.entity = entity;
        this.failures = failures;

        // Both before the first event, because the package requires it.
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

    // The package's disposal would flush for as long as the service takes. A caller that wants to flush does so itself, with a limit.
    public ValueTask DisposeAsync() => Closing.EndAsync(() => new ValueTask(producer.CloseAsync(flush: false, CancellationToken.None)));

    private static Task SettleAsync(IReadOnlyList<EventData> events, MessagingException? failure)
    {
        foreach (var settled in events)
        {
            ((BufferedEvent)settled).Settled(failure);
        }

        return Task.CompletedTask;
    }

    // The package returns the same event objects that it was given.
    private sealed class BufferedEvent(ReadOnlyMemory<byte> body, Action<MessagingException?> settled) : EventData(body)
    {
        public Action<MessagingException?> Settled => settled;
    }
}
