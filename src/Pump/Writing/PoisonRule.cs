using EventHubThroughput.Events;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Pump.Writing;

/// <summary>The effective poison policy, with what it needs.</summary>
internal sealed record PoisonRule
{
    /// <summary>The policy. Null where there is none: the strategy is unsafe, and its loop receives the failure.</summary>
    public required PoisonPolicy? Policy { get; init; }

    /// <summary>Stores an event in the dead-letter store. Needed by <see cref="PoisonPolicy.DeadLetter"/>.</summary>
    public StoreDeadLetter? Store { get; init; }

    /// <summary>Receives the events that are held.</summary>
    public required BlockedEvents Blocked { get; init; }
}

/// <summary>Stores an event in the dead-letter store. Completes when it is stored, or was before.</summary>
/// <param name="receivedEvent">The event.</param>
/// <param name="sink">The sink that gave it up.</param>
/// <param name="cause">The reason.</param>
/// <param name="attempts">The number of tries.</param>
/// <param name="cancellationToken">Cancels the request.</param>
internal delegate Task StoreDeadLetter(EventSlot receivedEvent, string sink, string cause, int attempts, CancellationToken cancellationToken);
