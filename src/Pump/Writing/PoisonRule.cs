using EventHubThroughput.Events;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Pump.Writing;

/// <summary>The poison policy in force, with what it needs.</summary>
internal sealed record PoisonRule
{
    /// <summary>The policy. Null where there is none: the strategy is unsafe, and its loop gets the failure.</summary>
    public required PoisonPolicy? Policy { get; init; }

    /// <summary>Stores an event among the dead letters. Needed by <see cref="PoisonPolicy.DeadLetter"/>.</summary>
    public StoreDeadLetter? Store { get; init; }

    /// <summary>Who is told of events that are held.</summary>
    public required BlockedEvents Blocked { get; init; }
}

/// <summary>Stores an event among the dead letters. Completes when it is stored, or was before.</summary>
/// <param name="receivedEvent">The event.</param>
/// <param name="sink">The sink that gave it up.</param>
/// <param name="cause">Why.</param>
/// <param name="attempts">How often the sink was tried.</param>
/// <param name="cancellationToken">Cancels the request.</param>
internal delegate Task StoreDeadLetter(EventSlot receivedEvent, string sink, string cause, int attempts, CancellationToken cancellationToken);
