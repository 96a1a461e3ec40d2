namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>One operation's law, its draws and what came of them. Safe for several threads.</summary>
internal sealed class OperationLatency(EmulatedOperation operation, LatencyLaw law, Random random)
{
    private readonly Lock _gate = new();
    private readonly LognormalDraw _draw = new(law.MeanMilliseconds, law.DeviationMilliseconds);

    // Under the gate.
    private long _count;
    private double _mean;
    private double _squares;

    public EmulatedOperation Operation { get; } = operation;

    public LatencyLaw Law { get; } = law;

    public TimeSpan Next()
    {
        lock (_gate)
        {
            return TimeSpan.FromMilliseconds(_draw.Next(random));
        }
    }

    public void Record(TimeSpan served)
    {
        lock (_gate)
        {
            // Welford's recurrence: stable at any count.
            _count++;
            var off = served.TotalMilliseconds - _mean;
            _mean += off / _count;
            _squares += off * (served.TotalMilliseconds - _mean);
        }
    }

    public ObservedLatency Observe()
    {
        lock (_gate)
        {
            return new ObservedLatency(Operation, Law.TotalMeanMilliseconds, _count, _mean, _count > 1 ? Math.Sqrt(_squares / (_count - 1)) : 0);
        }
    }
}

/// <summary>Asked and observed service time of an operation, without the time spent waiting for its turn.</summary>
internal sealed record ObservedLatency(
    EmulatedOperation Operation, double AskedMeanMilliseconds, long Count, double MeanMilliseconds, double DeviationMilliseconds);
