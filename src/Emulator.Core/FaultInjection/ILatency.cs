using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>What an endpoint waits for before it answers, so that a run meets the delays and quotas of the profile in force.</summary>
internal interface ILatency
{
    /// <summary>
    /// The thread of the pool that reads. The poller of the sockets is woken before, in a third of the time. With one wake what the packets on the loopback say is met
    /// within 0.05 ms (docs/results/article.md).
    /// </summary>
    const int WakesOfRead = 1;

    /// <summary>The clock's raw timestamp, to note when a request has arrived.</summary>
    long Now { get; }

    /// <summary>
    /// When something happened that was seen so long ago, after threads had been woken for it one after another. A request's time counts from its bytes, and
    /// nobody sees these come: the thread that reads them sleeps until then. How long waking it takes is known of the
    /// laboratory's own waits (<see cref="IDeadlines.Wake"/>).
    /// </summary>
    /// <param name="ago">Since it was seen.</param>
    /// <param name="wakes">How many threads, at most. <see cref="WakesOfRead"/> for bytes that were read.</param>
    long Before(TimeSpan ago, int wakes);

    /// <summary>
    /// Completes when the operation may take effect, or at once with the advice to come again later. That is a little before its time is over:
    /// by as much as it usually takes from here until the peer is answered, which the caller then tells (<see cref="Admission.Answered"/>).
    /// </summary>
    /// <param name="operation">What is asked for.</param>
    /// <param name="load">How much of it.</param>
    /// <param name="arrivedAt">When the request had arrived (<see cref="Now"/>): its time counts from there.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, long arrivedAt, CancellationToken cancellationToken);

    /// <summary>The same for an operation on one thing whose size does not matter, that has just arrived and is answered at once.</summary>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken) => ApplyAsync(operation, Now, cancellationToken);

    /// <summary>The same for an operation on one thing whose size does not matter, that is answered at once.</summary>
    async ValueTask<Admission> ApplyAsync(EmulatedOperation operation, long arrivedAt, CancellationToken cancellationToken)
    {
        var admission = await ApplyAsync(operation, Load.One, arrivedAt, cancellationToken);
        admission.Answered();
        return admission;
    }
}

/// <summary>How much one operation moves: events or messages, and their bytes.</summary>
internal readonly record struct Load(int Count, long Bytes)
{
    public static Load One { get; } = new(1, 0);
}

/// <summary>Whether an operation may take effect. When not, for how long its client should stay away.</summary>
internal readonly struct Admission
{
    private readonly OperationLatency? _latency;
    private readonly long _began;
    private readonly long _end;

    private Admission(TimeSpan busyFor) => BusyFor = busyFor;

    /// <summary>An operation that was admitted.</summary>
    /// <param name="latency">Who counts it.</param>
    /// <param name="began">When its time began: at its arrival, waiting for its turn aside.</param>
    /// <param name="end">When its time is over.</param>
    public Admission(OperationLatency latency, long began, long end) => (_latency, _began, _end) = (latency, began, end);

    public TimeSpan? BusyFor { get; }

    public static Admission Refused(TimeSpan busyFor) => new(busyFor);

    /// <summary>The peer has been answered: only then the operation is counted, with the time that it took.</summary>
    public void Answered() => _latency?.Answered(_began, _end);
}
