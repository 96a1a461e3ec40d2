namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>
/// The latencies of one link or endpoint. The serial part is a queue in virtual finish times: an operation starts when its
/// predecessor's serial part ends, and nobody holds a lock while waiting; the drawn part overlaps freely.
/// </summary>
internal sealed class QueuedLatency(IReadOnlyList<OperationLatency> operations, IDeadlines deadlines) : ILatency
{
    private readonly long[] _serialFinish = new long[operations.Count];
    private readonly Lock _gate = new();

    public ValueTask ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken)
    {
        var latency = operations[(int)operation];
        return latency.Law.IsZero ? ValueTask.CompletedTask : WaitAsync(latency, cancellationToken);
    }

    private async ValueTask WaitAsync(OperationLatency latency, CancellationToken cancellationToken)
    {
        var clock = deadlines.Clock;
        var serial = Ticks(TimeSpan.FromMilliseconds(latency.Law.SerialMilliseconds), clock);
        long start;
        lock (_gate)
        {
            start = Math.Max(clock.GetTimestamp(), _serialFinish[(int)latency.Operation]);
            _serialFinish[(int)latency.Operation] = start + serial;
        }

        await deadlines.UntilAsync(start + serial + Ticks(latency.Next(), clock), cancellationToken);
        latency.Record(clock.GetElapsedTime(start, clock.GetTimestamp()));
    }

    private static long Ticks(TimeSpan duration, TimeProvider clock) => (long)(duration.TotalSeconds * clock.TimestampFrequency);
}
