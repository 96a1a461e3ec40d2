using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Measurement;

/// <summary>The figures of one stretch of a run: one histogram per stage, the batch sizes that occurred, the events completed.</summary>
internal sealed class MeasuredSection(long startedAt)
{
    private readonly LatencyHistogram[] histograms = [.. Stages.All.Select(_ => new LatencyHistogram())];
    private readonly Lock gate = new();

    // Touched under the gate, once per batch.
    private readonly SortedDictionary<int, long> batchSizes = [];
    private long completed;

    /// <summary>The raw timestamp at which it began.</summary>
    public long StartedAt => startedAt;

    /// <summary>Events that became complete in it.</summary>
    public long Completed => Interlocked.Read(ref completed);

    public LatencyHistogram this[Stage stage] => histograms[(int)stage];

    /// <summary>How often each batch size occurred.</summary>
    public IReadOnlyDictionary<int, long> BatchSizes
    {
        get
        {
            lock (gate)
            {
                return new SortedDictionary<int, long>(batchSizes);
            }
        }
    }

    public void EventCompleted() => Interlocked.Increment(ref completed);

    public void BatchEnded(int events)
    {
        lock (gate)
        {
            batchSizes[events] = batchSizes.GetValueOrDefault(events) + 1;
        }
    }
}
