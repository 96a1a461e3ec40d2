using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The latency law of one operation since its profile was set: its random numbers, its queue and its observed times. Safe for several threads.
/// </summary>
internal sealed class OperationLatency
{
    // The lead follows the error of the last dozen operations. A pause counts at most as the largest lead.
    private const double LargestLeadMilliseconds = 2;
    private const int Inertia = 8;

    private readonly Lock _gate = new();
    private readonly LatencyProfile _profile;
    private readonly QuotaMeter? _quota;
    private readonly long _frequency;
    private readonly long _setAt;
    private readonly TimeProvider _clock;
    private readonly long _largestLead;

    // Guarded by the gate.
    private readonly Random _random;
    private readonly ServiceQueue _queue;
    private readonly LatencyStatistics _tally = new();
    private long _operations;

    // Read without the gate.
    private long _lead;

    public OperationLatency(EmulatedOperation operation, LatencyProfile profile, QuotaMeter? quota, Random random, TimeProvider clock)
    {
        Operation = operation;
        Law = profile.Of(operation);
        IsFree = Law.IsZero && quota is null;
        _profile = profile;
        _quota = quota;
        _random = random;
        _frequency = clock.TimestampFrequency;
        _setAt = clock.GetTimestamp();
        _clock = clock;
        _largestLead = (long)Ticks(Math.Min(LargestLeadMilliseconds, Law.TotalMeanMilliseconds / 2));
        _queue = new ServiceQueue(Law, _frequency);
    }

    public EmulatedOperation Operation { get; }

    public LatencyLaw Law { get; }

    /// <summary>Whether operations are neither delayed nor refused.</summary>
    public bool IsFree { get; }

    /// <summary>
    /// How long before its end a wait completes. It is the recent time to wake up, take effect and answer. A peer therefore observes the requested mean.
    /// </summary>
    public long Lead => Interlocked.Read(ref _lead);

    /// <summary>Returns null when the load is admitted, else the wait to advise.</summary>
    public TimeSpan? Refuse(long now, Load load)
    {
        if (_quota is null || _quota.TryTake(now, load))
        {
            return null;
        }

        lock (_gate)
        {
            _tally.Throttles++;
        }

        return _quota.Advice;
    }

    /// <summary>Schedules an operation. Returns its end, and how much of the time until then is a wait for its turn.</summary>
    /// <param name="now">The time of its arrival.</param>
    /// <param name="load">The size of the operation.</param>
    /// <param name="serialFree">When the serial part of the previous operation on the same link ends. Set to the end of this one.</param>
    public (long End, long Waited) Plan(long now, Load load, ref double serialFree)
    {
        lock (_gate)
        {
            var (paced, cost) = _queue.Pace(now, load);
            var start = Math.Max(paced + cost, serialFree);
            var factor = _profile.FactorAt((start - _setAt) / _frequency);
            var serial = Ticks(Law.SerialMilliseconds * factor);
            serialFree = start + serial;

            var length = Ticks(NextMilliseconds() * factor);
            var served = _queue.Occupy(start + serial, length);
            var end = served + length;
            return ((long)Math.Round(end), (long)Math.Round(end - now - cost - serial - length));
        }
    }

    /// <summary>Counts an operation that is answered now, and adapts the lead.</summary>
    /// <param name="began">When its latency began.</param>
    /// <param name="end">When it should have been answered.</param>
    public void Answered(long began, long end)
    {
        var answered = _clock.GetTimestamp();
        lock (_gate)
        {
            _tally.Add(_clock.GetElapsedTime(began, answered));
            var error = Math.Clamp(answered - end, -_largestLead, _largestLead);
            _lead = Math.Clamp(_lead + (error / Inertia), 0, _largestLead);
        }
    }

    public ObservedLatency Observe()
    {
        lock (_gate)
        {
            return _tally.Observe(Operation, Law);
        }
    }

    private double NextMilliseconds()
    {
        var drawn = Law.Draw(_random);
        _operations++;
        return Law.StragglerEvery > 0 && _operations % Law.StragglerEvery == 0 ? drawn + Law.StragglerMilliseconds : drawn;
    }

    private double Ticks(double milliseconds) => milliseconds * _frequency / 1_000;
}
