namespace EventHubThroughput.Pump;

/// <summary>An event for which the handler has failed for good, for the user's function that stores it.</summary>
/// <param name="PartitionId">The partition.</param>
/// <param name="Event">The event, of the pump's type.</param>
/// <param name="Reason">The last failure, in one line.</param>
/// <param name="Attempts">How many tries failed.</param>
public sealed record DeadLetteredEvent(string PartitionId, object Event, string Reason, int Attempts);
