namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>What a processor has done so far. Every message that it received is in exactly one of the first six once it is through.</summary>
/// <param name="Completed">Removed.</param>
/// <param name="Abandoned">Given back, because the handler said so or threw.</param>
/// <param name="Deferred">Put aside.</param>
/// <param name="DeadLettered">Made dead letters.</param>
/// <param name="SettledByHandler">Settled by the handler itself.</param>
/// <param name="Unsettled">Lock lost, or not settled for another reason. Each comes again.</param>
/// <param name="LocksLost">Of those, the ones whose lock had gone.</param>
/// <param name="HandlerFailures">Handlers that threw.</param>
/// <param name="Handling">Messages that are with a handler or being settled now.</param>
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
