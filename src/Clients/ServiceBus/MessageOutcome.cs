namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>What is to become of a message that a handler has seen.</summary>
public enum MessageOutcome
{
    /// <summary>It is done and removed.</summary>
    Complete,

    /// <summary>It goes back and comes again, as when the handler throws. The service counts its deliveries.</summary>
    Abandon,

    /// <summary>It is put aside until somebody receives it by its sequence number.</summary>
    Defer,

    /// <summary>It becomes a dead letter, with the reason <c>HandlerRefused</c>. A handler with a reason of its own settles it by itself.</summary>
    DeadLetter,

    /// <summary>The handler has settled it by itself.</summary>
    Settled,
}
