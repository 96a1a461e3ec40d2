using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Sends events to an event hub.</summary>
public interface IEventHubWriter : IAsyncDisposable
{
    /// <summary>Starts a batch. All its events go to one partition: that of the key, the given one, or one that the service chooses.</summary>
    /// <param name="partitionKey">The key, at most 128 characters, or null.</param>
    /// <param name="partitionId">The partition, or null. Not together with a key.</param>
    /// <param name="cancellationToken">Cancels opening the link, whose attach has the size limit.</param>
    Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken);

    /// <summary>
    /// Sends a batch. Completes when the service has stored it. An empty batch is not sent. A stored batch accepts no events and cannot be sent again,
    /// because its bytes have returned to the pool.
    /// </summary>
    Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken);
}

/// <summary>Events that are sent together. Each is encoded once, when it is added.</summary>
public interface IOutgoingEventBatch
{
    /// <summary>The number of its events.</summary>
    int Count { get; }

    /// <summary>Its size on the wire in bytes.</summary>
    long SizeInBytes { get; }

    /// <summary>The most bytes that it may have on the wire: the limit of the event hub, for a batch and for each event.</summary>
    long MaximumSizeInBytes { get; }

    /// <summary>Adds an event. False when the batch would become larger than the link allows.</summary>
    bool TryAdd(OutgoingEvent outgoingEvent);
}
