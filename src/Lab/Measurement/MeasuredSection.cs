using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>The figures of one section of a run: one histogram per stage, the batch sizes that occurred, the events completed.</summary>
/// <param name="startedAt">The raw timestamp at which it begins.</param>
/// <param name="stages">The stages of the run.</param>
/// <param name="timestampFrequency">Raw timestamps in a second.</param>
internal sealed class MeasuredSection(long startedAt, RunStages stages, long timestampFrequency)
{
    private readonly LatencyHistogram[] histograms = [.. stages.All.Select(_ => new LatencyHistogram())];
    private readonly CompletionsOverTime overTime = new(timestampFrequency);
    private readonly Lock gate = new();

    // Touched under the gate, once per batch.
    private readonly SortedDictionary<int, long> batchSizes = [];
    private readonly BatchTimes batchTimes = new();
    private long completed;

    // Keys in flight multiplied by their time in raw timestamps. Summed over partitions, since a key belongs to one.
    private long keyTime;
    private volatile bool hasKeys;
    private long mostInFlight;

    // The same of events.
    private long eventTime;

    /// <summary>The stages that it has a histogram for.</summary>
    public RunStages Stages => stages;

    /// <summary>The raw timestamp at which it began.</summary>
    public long StartedAt => startedAt;

    /// <summary>Events that became complete in it.</summary>
    public long Completed => Interlocked.Read(ref completed);

    /// <summary>How long its batches took. Read it when no batch is under way any more.</summary>
    public BatchTimes BatchTimes => batchTimes;

    /// <summary>When events became complete, and how many were in flight.</summary>
    public CompletionsOverTime OverTime => overTime;

    /// <summary>The most events that were in flight concurrently on one partition. Null where none was begun in it.</summary>
    public int? DegreeReached => Volatile.Read(ref mostInFlight) is > 0 and var reached ? (int)reached : null;

    /// <summary>The mean over time of the distinct keys among the events in flight. Null where no event had a key, or no time has passed.</summary>
    /// <param name="until">The raw timestamp at which it ends.</param>
    public double? MeanKeysInFlight(long until) => hasKeys && until > startedAt ? (double)Interlocked.Read(ref keyTime) / (until - startedAt) : null;

    /// <summary>The mean over time of the events in flight, over all partitions. Null where none was, or no time has passed.</summary>
    /// <param name="until">The raw timestamp at which it ends.</param>
    public double? MeanEventsInFlight(long until) =>
        until > startedAt && Interlocked.Read(ref eventTime) is > 0 and var held ? (double)held / (until - startedAt) : null;

    public LatencyHistogram this[Stage stage] => histograms[stage.Place];

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

    /// <param name="inFlight">The events in flight on its partition, itself included.</param>
    public void EventBegun(int inFlight) => InterlockedExtremes.KeepLargest(ref mostInFlight, inFlight);

    /// <summary>Records how many events were in flight on a partition, from one raw timestamp to another one.</summary>
    public void EventsHeld(int events, long from, long to)
    {
        var begin = Math.Max(from, startedAt);
        Interlocked.Add(ref eventTime, events * Math.Max(0, to - begin));
        overTime.Held(events, begin - startedAt, to - startedAt);
    }

    /// <summary>Records how many distinct keys were in flight on a partition, from one raw timestamp to another one.</summary>
    public void KeysHeld(int keys, long from, long to)
    {
        hasKeys = true;
        Interlocked.Add(ref keyTime, keys * Math.Max(0, to - Math.Max(from, startedAt)));
    }

    /// <param name="now">The raw timestamp of now.</param>
    /// <param name="endToEnd">Its time from end to end.</param>
    public void EventCompleted(long now, TimeSpan endToEnd)
    {
        Interlocked.Increment(ref completed);
        overTime.Add(now - startedAt, endToEnd);
    }

    public void BatchReceived(int events)
    {
        lock (gate)
        {
            batchSizes[events] = batchSizes.GetValueOrDefault(events) + 1;
        }
    }

    /// <param name="elapsed">Since the batch came.</param>
    public void BatchEnded(TimeSpan elapsed)
    {
        lock (gate)
        {
            batchTimes.Add(elapsed);
        }
    }
}
