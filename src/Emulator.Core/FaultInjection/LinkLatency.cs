using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The latencies of one link or endpoint. The serial part is a queue of virtual finish times: an operation starts when the serial part of the previous one
/// ends. No lock is held during a wait. The random parts overlap freely.
/// </summary>
internal sealed class LinkLatency(LatencyInjection faultInjection, IDeadlines deadlines) : ILatency
{
    private readonly Lock _gate = new();

    // Guarded by the gate: when the serial part of each operation is free.
    private readonly double[] _serialFree = new double[LatencyProfile.Operations.Count];

    public long Now => deadlines.Clock.GetTimestamp();

    public long Before(TimeSpan ago, int wakes) => Now - (long)((ago + (wakes * deadlines.Wake)).TotalSeconds * deadlines.Clock.TimestampFrequency);

    public ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, long arrivedAt, CancellationToken cancellationToken)
    {
        var latency = faultInjection.Of(operation);
        return latency.IsFree ? default : WaitAsync(latency, load, arrivedAt, cancellationToken);
    }

    private async ValueTask<Admission> WaitAsync(OperationLatency latency, Load load, long arrivedAt, CancellationToken cancellationToken)
    {
        if (latency.Refuse(Now, load) is { } advice)
        {
            return Admission.Refused(advice);
        }

        if (latency.Law.IsZero)
        {
            return default;
        }

        long end;
        long waited;
        lock (_gate)
        {
            (end, waited) = latency.Plan(arrivedAt, load, ref _serialFree[(int)latency.Operation]);
        }

        await deadlines.UntilAsync(end - latency.Lead, cancellationToken);
        return new Admission(latency, arrivedAt + waited, end);
    }
}
