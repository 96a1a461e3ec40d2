using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing;

/// <summary>
/// An observer of the caller, which must not disturb what it observes: most moments are reported during a write, under the lock of the ownership. What it
/// throws is logged and not thrown.
/// </summary>
internal sealed class GuardedObserver(PartitionObserver inner, ILogger log) : PartitionObserver
{
    public override long? Completions
    {
        get
        {
            long? counted = null;
            Tell(this, (observer, _) => counted = observer.Completions);
            return counted;
        }
    }

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom) =>
        Tell((load, startedFrom), static (observer, told) => observer.Opened(told.load, told.startedFrom));

    public override void BatchReceived(int events, TimeSpan? waited) =>
        Tell((events, waited), static (observer, told) => observer.BatchReceived(told.events, told.waited));

    public override void WaitedForRoom(TimeSpan elapsed) => Tell(elapsed, static (observer, told) => observer.WaitedForRoom(told));

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) =>
        Tell((events, outstanding), static (observer, told) => observer.HandedOver(told.events, told.outstanding));

    public override void Begun(EventSlot receivedEvent, int inFlight) =>
        Tell((receivedEvent, inFlight), static (observer, told) => observer.Begun(told.receivedEvent, told.inFlight));

    public override void Acknowledged(long sequence, int sink, TimeSpan elapsed) =>
        Tell((sequence, sink, elapsed), static (observer, told) => observer.Acknowledged(told.sequence, told.sink, told.elapsed));

    public override void Completed(in EventCompletion completion) => Tell(completion, static (observer, told) => observer.Completed(told));

    public override void CompletedLate() => Tell(0, static (observer, _) => observer.CompletedLate());

    public override void TryFailed(int sink, MessagingException failure, AfterFailure next) =>
        Tell((sink, failure, next), static (observer, told) => observer.TryFailed(told.sink, told.failure, told.next));

    public override void WriteCut(int sink) => Tell(sink, static (observer, told) => observer.WriteCut(told));

    public override void ConcurrencyChanged(int degree) => Tell(degree, static (observer, told) => observer.ConcurrencyChanged(told));

    public override void BatchEnding() => Tell(0, static (observer, _) => observer.BatchEnding());

    public override void BatchEnded(int events, TimeSpan elapsed) =>
        Tell((events, elapsed), static (observer, told) => observer.BatchEnded(told.events, told.elapsed));

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) =>
        Tell((position, events, elapsed), static (observer, told) => observer.CheckpointStored(told.position, told.events, told.elapsed));

    public override void CheckpointFailed(TimeSpan elapsed) => Tell(elapsed, static (observer, told) => observer.CheckpointFailed(told));

    public override void Closing() => Tell(0, static (observer, _) => observer.Closing());

    public override void Closed(bool lost) => Tell(lost, static (observer, told) => observer.Closed(told));

    private void Tell<T>(T told, Action<PartitionObserver, T> tell)
    {
        try
        {
            tell(inner, told);
        }
        catch (Exception exception)
        {
            GuardedCallback.Report(exception, inner.GetType().Name, log);
        }
    }
}
