using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>What an endpoint waits for before it answers, so that a run meets the delays and quotas of the profile in force.</summary>
internal interface ILatency
{
    /// <summary>The clock's raw timestamp, to note when a request has arrived.</summary>
    long Now { get; }

    /// <summary>The timestamp of so long ago, for what had arrived before anybody looked at it.</summary>
    long Before(TimeSpan ago);

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
    async ValueTask<Admission> ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken)
    {
        var admission = await ApplyAsync(operation, Load.One, Now, cancellationToken);
        admission.Answered();
        return admission;
    }
}

/// <summary>How much one operation moves: events or messages, and their bytes.</summary>
internal readonly record struct Load(int Count, long Bytes)
{
    public static Load One { get; } = new(1, 0);
}

/// <summary>Whether an operation may take effect; when not, for how long its client should stay away.</summary>
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
