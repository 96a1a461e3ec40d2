using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>The waits of an endpoint before it answers, so that a run gets the latencies and quotas of the profile in force.</summary>
internal interface ILatency
{
    /// <summary>
    /// The thread of the pool that reads. The socket poller is woken before, in a third of the time. With one wake, latencies measured from loopback packets
    /// match the profile within 0.05 ms (docs/results/article.md).
    /// </summary>
    const int WakesOfRead = 1;

    /// <summary>The raw timestamp of the clock, to record when a request has arrived.</summary>
    long Now { get; }

    /// <summary>
    /// When an event happened that was noticed this time ago, after threads were woken one after another. The time of a request counts from its bytes, but the
    /// thread that reads them sleeps until they arrive. The time to wake it is estimated from the waits of the laboratory (<see cref="IDeadlines.Wake"/>).
    /// </summary>
    /// <param name="ago">The time since it was noticed.</param>
    /// <param name="wakes">The number of threads, at most. <see cref="WakesOfRead"/> for bytes that were read.</param>
    long Before(TimeSpan ago, int wakes);

    /// <summary>
    /// Completes when the operation may take effect, or immediately with the advice to try again later. It completes a little early, by the usual time from
    /// here until the answer is sent. The caller reports that time by <see cref="Admission.Answered"/>.
    /// </summary>
    /// <param name="operation">The operation.</param>
    /// <param name="load">The size of the operation.</param>
    /// <param name="arrivedAt">When the request had arrived (<see cref="Now"/>). Its latency counts from there.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, long arrivedAt, CancellationToken cancellationToken);

    /// <summary>The same for an operation on one object of irrelevant size, which has just arrived and is answered immediately.</summary>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken) => ApplyAsync(operation, Now, cancellationToken);

    /// <summary>The same for an operation on one object of irrelevant size, which is answered immediately.</summary>
    async ValueTask<Admission> ApplyAsync(EmulatedOperation operation, long arrivedAt, CancellationToken cancellationToken)
    {
        var admission = await ApplyAsync(operation, Load.One, arrivedAt, cancellationToken);
        admission.Answered();
        return admission;
    }
}

/// <summary>The size of one operation: the number of events or messages, and their bytes.</summary>
internal readonly record struct Load(int Count, long Bytes)
{
    public static Load One { get; } = new(1, 0);
}

/// <summary>Whether an operation may take effect. If not, how long its client should wait.</summary>
internal readonly struct Admission
{
    private readonly OperationLatency? _latency;
    private readonly long _began;
    private readonly long _end;

    private Admission(TimeSpan busyFor) => BusyFor = busyFor;

    /// <summary>An operation that was admitted.</summary>
    /// <param name="latency">Counts the operation.</param>
    /// <param name="began">When its latency began: at its arrival, without the wait for its turn.</param>
    /// <param name="end">When its latency ends.</param>
    public Admission(OperationLatency latency, long began, long end) => (_latency, _began, _end) = (latency, began, end);

    public TimeSpan? BusyFor { get; }

    public static Admission Refused(TimeSpan busyFor) => new(busyFor);

    /// <summary>Records that the answer was sent. Only now the operation is counted, with the time that it took.</summary>
    public void Answered() => _latency?.Answered(_began, _end);
}
