namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>The outcome of a handled message.</summary>
public enum MessageOutcome
{
    /// <summary>It is removed.</summary>
    Complete,

    /// <summary>It returns to the entity and is delivered again, as when the handler throws. The service counts its deliveries.</summary>
    Abandon,

    /// <summary>It is deferred until a receiver asks for it by its sequence number.</summary>
    Defer,

    /// <summary>It becomes a dead letter, with the reason <c>HandlerRefused</c>. A handler that needs another reason settles the message itself.</summary>
    DeadLetter,

    /// <summary>The handler has settled it itself.</summary>
    Settled,
}
