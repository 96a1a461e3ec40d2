using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Sends single events, which it gathers into batches by itself, and tells afterwards what became of each. Events of one key are sent
/// in the order in which they were added. May be used concurrently.
/// </summary>
public interface IBufferedEventWriter : IAsyncDisposable
{
    /// <summary>Hands an event over. Waits while the buffer of its partition is full.</summary>
    /// <param name="outgoingEvent">The event.</param>
    /// <param name="partitionKey">Decides the partition. Null leaves it to the writer.</param>
    /// <param name="settled">
    /// Told once what became of it, from any thread: null when the service has stored it, else why not. Not told of what is still
    /// buffered when the writer is disposed of. Must not block and not throw.
    /// </param>
    /// <param name="cancellationToken">Gives the adding up. Whether the event is sent all the same is open then.</param>
    /// <exception cref="MessagingException">The event cannot be sent at all.</exception>
    Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken);

    /// <summary>Sends what is buffered without waiting for full batches. The last outcomes may be told a moment after it has completed.</summary>
    Task FlushAsync(CancellationToken cancellationToken);
}
