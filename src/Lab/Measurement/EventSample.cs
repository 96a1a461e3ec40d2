using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The times of a few consecutive events, so that a reader sees why a strategy is fast or slow. The first partition that hands over events after the
/// warm-up records them. Otherwise an observer only examines its state.
/// </summary>
/// <param name="isWarm">Whether the warm-up has ended.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="sinks">The names of the sinks, by place.</param>
internal sealed class EventSample(Func<bool> isWarm, TimeProvider timeProvider, IReadOnlyList<string> sinks)
{
    /// <summary>How many events are recorded.</summary>
    public const int Size = 12;

    private EventSampleRecorder? recorder;

    /// <summary>The observer of an ownership.</summary>
    public PartitionObserver ObserverOf(string partition) => new EventSampleRecorder(partition, TryClaim, timeProvider, sinks);

    /// <summary>What was recorded until now. Null without any event.</summary>
    public SampledEvents? Read() => Volatile.Read(ref recorder)?.Read();

    // True for one recorder only. Null before the end of the warm-up.
    private bool? TryClaim(EventSampleRecorder candidate) =>
        isWarm() ? Interlocked.CompareExchange(ref recorder, candidate, null) is null
        : Volatile.Read(ref recorder) is null ? null
        : false;
}
