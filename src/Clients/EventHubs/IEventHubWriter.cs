using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Sends events to an event hub.</summary>
public interface IEventHubWriter : IAsyncDisposable
{
    /// <summary>Starts a batch. All its events go to one partition: the key's, the one named, or one of the service's choice.</summary>
    /// <param name="partitionKey">The key, at most 128 characters, or null.</param>
    /// <param name="partitionId">The partition, or null. Not together with a key.</param>
    /// <param name="cancellationToken">Cancels opening the link, which tells the size limit.</param>
    Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken);

    /// <summary>
    /// Sends a batch. Completes when the service has stored it. An empty batch is not sent, and one that is stored neither takes events
    /// nor is sent again: its bytes have gone back to where others find them.
    /// </summary>
    Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken);
}

/// <summary>Events that will be sent as one, each encoded once, when it is added.</summary>
public interface IOutgoingEventBatch
{
    /// <summary>How many events it holds.</summary>
    int Count { get; }

    /// <summary>Its size on the wire in bytes.</summary>
    long SizeInBytes { get; }

    /// <summary>The most bytes that it may have on the wire: the limit of the event hub, for a batch and for each event.</summary>
    long MaximumSizeInBytes { get; }

    /// <summary>Adds an event. False when the batch would become larger than the link allows.</summary>
    bool TryAdd(OutgoingEvent outgoingEvent);
}
