using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Sends single events, which it collects into batches, and reports the outcome of each. Events of one key are sent in the order in which they were added.
/// May be used concurrently.
/// </summary>
public interface IBufferedEventWriter : IAsyncDisposable
{
    /// <summary>Adds an event. Waits while the buffer of its partition is full.</summary>
    /// <param name="outgoingEvent">The event.</param>
    /// <param name="partitionKey">Decides the partition. With null the writer chooses.</param>
    /// <param name="settled">
    /// Called once with the outcome, from any thread: null when the service has stored the event, else the failure. It is not called for events that are
    /// still buffered when the writer is disposed of. Must not block and not throw.
    /// </param>
    /// <param name="cancellationToken">Cancels adding. The event may be sent or not.</param>
    /// <exception cref="MessagingException">The event cannot be sent at all.</exception>
    Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken);

    /// <summary>Sends what is buffered without waiting for full batches. The last outcomes may be reported shortly after it has completed.</summary>
    Task FlushAsync(CancellationToken cancellationToken);
}
