using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing;

/// <summary>
/// Told of everything that happens in one ownership of a partition: the four moments of each event's life (handed over, begun,
/// acknowledged, complete), the tries of writes, the batches and the checkpoints. Whoever measures derives from it.
/// </summary>
/// <remarks>
/// The four moments are told under the lock of the ownership, one at a time and in the order in which they happen, to every observer
/// before anybody acts on them: be quick, do not wait, do not call back. The other members may be called from any thread.
/// </remarks>
public abstract class PartitionObserver
{
    /// <summary>How many events the observer itself has counted as complete, for the accounts at the end. Null when it does not count.</summary>
    public virtual long? Completions => null;

    /// <summary>The partition has been taken.</summary>
    /// <param name="load">What can be asked of the ownership from now on, from any thread.</param>
    /// <param name="startedFrom">The checkpoint that it starts behind. Null when there was none.</param>
    public virtual void Opened(IPartitionLoad load, EventPosition? startedFrom) { }

    /// <summary>A batch has come.</summary>
    /// <param name="events">How many events it holds.</param>
    /// <param name="waited">How long it was waited for since the end of the batch before. Null for the first one.</param>
    public virtual void BatchReceived(int events, TimeSpan? waited) { }

    /// <summary>Handing events over has waited for the window or the replay limit.</summary>
    public virtual void WaitedForRoom(TimeSpan elapsed) { }

    /// <summary>Events are handed to the strategy.</summary>
    /// <param name="events">The events, in order.</param>
    /// <param name="outstanding">Events handed over that the low watermark has not passed, these included.</param>
    public virtual void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) { }

    /// <summary>The first write of an event begins.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="inFlight">The events in flight, this one included.</param>
    public virtual void Begun(EventSlot receivedEvent, int inFlight) { }

    /// <summary>A sink has acknowledged an event. The low watermark does not know yet.</summary>
    /// <param name="sequence">The event.</param>
    /// <param name="sink">The sink's place.</param>
    /// <param name="elapsed">Since the write began.</param>
    public virtual void Acknowledged(long sequence, int sink, TimeSpan elapsed) { }

    /// <summary>An event is complete: every sink has it, or it is stored among the dead letters.</summary>
    public virtual void Completed(in EventCompletion completion) { }

    /// <summary>A write has ended after its ownership was over. It counts for nothing.</summary>
    public virtual void CompletedLate() { }

    /// <summary>A try of a write has failed.</summary>
    /// <param name="sink">The sink's place.</param>
    /// <param name="failure">Why.</param>
    /// <param name="next">What becomes of the write.</param>
    public virtual void TryFailed(int sink, MessagingException failure, AfterFailure next) { }

    /// <summary>A write was cut: the partition is lost, or the drain limit is over.</summary>
    /// <param name="sink">The sink's place.</param>
    public virtual void WriteCut(int sink) { }

    /// <summary>The strategy has changed the degree that it works with, by itself.</summary>
    /// <param name="degree">How many events it lets be in flight now.</param>
    public virtual void ConcurrencyChanged(int degree) { }

    /// <summary>All of a batch has been handed over, and with a barrier written. A checkpoint that belongs to its end comes next.</summary>
    public virtual void BatchEnding() { }

    /// <summary>A batch is over, its checkpoint included where there is one at each batch end.</summary>
    /// <param name="events">How many events it held.</param>
    /// <param name="elapsed">Since it came.</param>
    public virtual void BatchEnded(int events, TimeSpan elapsed) { }

    /// <summary>A checkpoint is stored.</summary>
    /// <param name="position">Where.</param>
    /// <param name="events">The events that it covers beyond the one confirmed before.</param>
    /// <param name="elapsed">How long the attempt took.</param>
    public virtual void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) { }

    /// <summary>An attempt to store a checkpoint has failed and is repeated.</summary>
    /// <param name="elapsed">How long it took.</param>
    public virtual void CheckpointFailed(TimeSpan elapsed) { }

    /// <summary>The ownership ends in order: everything has drained, and the last checkpoint comes next.</summary>
    public virtual void Closing() { }

    /// <summary>The ownership is over.</summary>
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
/// <param name="Elapsed">Since its first write began.</param>
/// <param name="Passed">How many events the low watermark has passed with it. 0 when an earlier one is not complete.</param>
/// <param name="DeadLettered">Whether it is stored among the dead letters.</param>
public readonly record struct EventCompletion(EventSlot Event, TimeSpan Elapsed, int Passed, bool DeadLettered)
{
    /// <summary>The event's sequence number.</summary>
    public long Sequence => Event.SequenceNumber;

    /// <summary>The sequence number of the low watermark afterwards: every event up to it is complete; -1 while the first one is not.</summary>
    public long Watermark { get; init; } = -1;
}

/// <summary>What becomes of a write of which a try has failed.</summary>
public enum AfterFailure
{
    /// <summary>It is tried again.</summary>
    TriedAgain,

    /// <summary>Its retries are used up, or another try would change nothing: the poison policy decides.</summary>
    GivenUp,

    /// <summary>The service is gone for every event: processing ends.</summary>
    Fatal,
}
