namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>What a processor has done so far. After its end every received message is counted in exactly one of the first six.</summary>
/// <param name="Completed">Removed.</param>
/// <param name="Abandoned">Returned to the entity, because the handler returned that outcome or threw.</param>
/// <param name="Deferred">Deferred.</param>
/// <param name="DeadLettered">Made dead letters.</param>
/// <param name="SettledByHandler">Settled by the handler itself.</param>
/// <param name="Unsettled">Lock lost, or not settled for another reason. Each is delivered again.</param>
/// <param name="LocksLost">Of those, the ones whose lock was gone.</param>
/// <param name="HandlerFailures">Handlers that threw.</param>
/// <param name="Handling">Messages that are being handled or settled now.</param>
/// <param name="MostHandling">The most of them at any one time.</param>
public readonly record struct MessageProcessorCounts(
    long Completed,
    long Abandoned,
    long Deferred,
    long DeadLettered,
    long SettledByHandler,
    long Unsettled,
    long LocksLost,
    long HandlerFailures,
    int Handling,
    int MostHandling
);
