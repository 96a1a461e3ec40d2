using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing;

/// <summary>
/// Receives everything that happens in one ownership of a partition: the four moments of each event's life (handed over, begun, acknowledged, complete), the
/// tries of writes, the batches and the checkpoints. Derive from it to measure.
/// </summary>
/// <remarks>
/// The four moments are reported under the lock of the ownership, one at a time and in the order in which they happen. Every observer receives them before
/// any component acts on them: be quick, do not wait, do not call back. The other members may be called from any thread.
/// </remarks>
public abstract class PartitionObserver
{
    /// <summary>The observer's own count of complete events, for the check at the end. Null when it does not count.</summary>
    public virtual long? Completions => null;

    /// <summary>The partition was claimed.</summary>
    /// <param name="load">The load of the ownership, which may be read from any thread from now on.</param>
    /// <param name="startedFrom">The checkpoint after which it starts. Null when there was none.</param>
    public virtual void Opened(IPartitionLoad load, EventPosition? startedFrom) { }

    /// <summary>A batch has arrived.</summary>
    /// <param name="events">The number of its events.</param>
    /// <param name="waited">The wait since the end of the batch before. Null for the first one.</param>
    public virtual void BatchReceived(int events, TimeSpan? waited) { }

    /// <summary>The dispatch has waited for the window or the replay limit.</summary>
    public virtual void WaitedForRoom(TimeSpan elapsed) { }

    /// <summary>Events are handed to the strategy.</summary>
    /// <param name="events">The events, in order.</param>
    /// <param name="outstanding">Events handed over that the low watermark has not passed, these included.</param>
    public virtual void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) { }

    /// <summary>The first write of an event begins.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="inFlight">The events in flight, this one included.</param>
    public virtual void Begun(EventSlot receivedEvent, int inFlight) { }

    /// <summary>A sink has acknowledged an event. The low watermark has not moved yet.</summary>
    /// <param name="sequence">The event.</param>
    /// <param name="sink">The sink's place.</param>
    /// <param name="elapsed">The time since the write began.</param>
    public virtual void Acknowledged(long sequence, int sink, TimeSpan elapsed) { }

    /// <summary>An event is complete: every sink has it, or it is in the dead-letter store.</summary>
    public virtual void Completed(in EventCompletion completion) { }

    /// <summary>A write has ended after its ownership had ended. It does not count.</summary>
    public virtual void CompletedLate() { }

    /// <summary>A try of a write has failed.</summary>
    /// <param name="sink">The sink's place.</param>
    /// <param name="failure">The failure.</param>
    /// <param name="next">The consequence for the write.</param>
    public virtual void TryFailed(int sink, MessagingException failure, AfterFailure next) { }

    /// <summary>A write was cancelled: the partition is lost, or the drain limit has expired.</summary>
    /// <param name="sink">The sink's place.</param>
    public virtual void WriteCut(int sink) { }

    /// <summary>The strategy has changed its degree itself.</summary>
    /// <param name="degree">The new limit of events in flight.</param>
    public virtual void ConcurrencyChanged(int degree) { }

    /// <summary>All of a batch has been handed over, and with a barrier written. A checkpoint at its end follows.</summary>
    public virtual void BatchEnding() { }

    /// <summary>A batch has ended, its checkpoint included where there is one at each batch end.</summary>
    /// <param name="events">The number of its events.</param>
    /// <param name="elapsed">The time since it arrived.</param>
    public virtual void BatchEnded(int events, TimeSpan elapsed) { }

    /// <summary>A checkpoint is stored.</summary>
    /// <param name="position">The position.</param>
    /// <param name="events">The events that it covers beyond the one confirmed before.</param>
    /// <param name="elapsed">How long the attempt took.</param>
    public virtual void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) { }

    /// <summary>An attempt to store a checkpoint has failed and is repeated.</summary>
    /// <param name="elapsed">How long it took.</param>
    public virtual void CheckpointFailed(TimeSpan elapsed) { }

    /// <summary>The ownership ends in order: everything has drained, and the last checkpoint follows.</summary>
    public virtual void Closing() { }

    /// <summary>The ownership has ended.</summary>
    /// <param name="lost">Whether another processor has taken the partition, so that it did not end in order.</param>
    public virtual void Closed(bool lost) { }
}

/// <summary>The load of one ownership at this instant.</summary>
public interface IPartitionLoad
{
    /// <summary>Events begun at a sink and neither complete nor given up.</summary>
    int InFlight { get; }

    /// <summary>Events handed over that the low watermark has not passed.</summary>
    int Outstanding { get; }
}

/// <summary>How an event became complete.</summary>
/// <param name="Event">The event.</param>
/// <param name="Elapsed">The time since its first write began.</param>
/// <param name="Passed">How many events the low watermark has passed because of it. 0 when an earlier one is not complete.</param>
/// <param name="DeadLettered">Whether it is in the dead-letter store.</param>
public readonly record struct EventCompletion(EventSlot Event, TimeSpan Elapsed, int Passed, bool DeadLettered)
{
    /// <summary>The event's sequence number.</summary>
    public long Sequence => Event.SequenceNumber;

    /// <summary>The sequence number of the low watermark afterwards: every event up to it is complete. -1 while the first one is not.</summary>
    public long Watermark { get; init; } = -1;
}

/// <summary>The consequence of a failed try for a write.</summary>
public enum AfterFailure
{
    /// <summary>It is tried again.</summary>
    TriedAgain,

    /// <summary>Its retries are used up, or another try would change nothing: the poison policy decides.</summary>
    GivenUp,

    /// <summary>The service is unavailable for every event: processing ends.</summary>
    Fatal,
}
