using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>One operation's law since its profile was set: its draws, its queue and what came of them. Safe for several threads.</summary>
internal sealed class OperationLatency
{
    // The lead follows the error of the last dozen operations. No stall counts for more than the largest lead.
    private const double LargestLeadMilliseconds = 2;
    private const int Inertia = 8;

    private readonly Lock _gate = new();
    private readonly LatencyProfile _profile;
    private readonly QuotaMeter? _quota;
    private readonly long _frequency;
    private readonly long _setAt;
    private readonly TimeProvider _clock;
    private readonly long _largestLead;

    // Under the gate.
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

    /// <summary>Whether nothing is to be waited for or refused.</summary>
    public bool IsFree { get; }

    /// <summary>
    /// How long before its end a wait is over: what waking up, taking effect and answering have taken lately, so that the mean of what a peer
    /// sees is what was asked for.
    /// </summary>
    public long Lead => Interlocked.Read(ref _lead);

    /// <summary>Null when the load is admitted, else the wait that is advised.</summary>
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

    /// <summary>
    /// Gives an operation its place: when it ends, and how much of the time until then is waiting for its turn.
    /// </summary>
    /// <param name="now">The moment of its arrival.</param>
    /// <param name="load">What it moves.</param>
    /// <param name="serialFree">When the serial part of the operation before it on the same link ends. That of this one afterwards.</param>
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

    /// <summary>Counts an operation that is answered now, and learns from it.</summary>
    /// <param name="began">When its time began.</param>
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
