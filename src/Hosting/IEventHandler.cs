using EventHubThroughput.Events;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>Handles events in a hosted application. The host's services create it in a new scope for every event.</summary>
public interface IEventHandler
{
    /// <summary>
    /// Handles one event: completes when that is done, throws when it is not. May be called again for the same event, after a failure as
    /// well as in another process. Called concurrently for different events.
    /// </summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="cancellationToken">Cancelled when the try has taken too long, or the partition has another owner.</param>
    ValueTask HandleAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken);
}

/// <summary>Handles events whose bodies are JSON in a hosted application. The host's services create it in a new scope for every event.</summary>
/// <typeparam name="T">The type of the JSON's value.</typeparam>
public interface IEventHandler<T>
    where T : notnull
{
    /// <summary>
    /// Handles one event: completes when that is done, throws when it is not. May be called again for the same event, after a failure as well as in another
    /// process. Called concurrently for different events. An event whose body is not JSON of the type is not passed to it.
    /// </summary>
    /// <param name="context">The event and its value.</param>
    /// <param name="cancellationToken">Cancelled when the try has taken too long, or the partition has another owner.</param>
    ValueTask HandleAsync(EventContext<T> context, CancellationToken cancellationToken);
}
