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
            Notify(this, (observer, _) => counted = observer.Completions);
            return counted;
        }
    }

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom) =>
        Notify((load, startedFrom), static (observer, arguments) => observer.Opened(arguments.load, arguments.startedFrom));

    public override void BatchReceived(int events, TimeSpan? waited) =>
        Notify((events, waited), static (observer, arguments) => observer.BatchReceived(arguments.events, arguments.waited));

    public override void WaitedForRoom(TimeSpan elapsed) => Notify(elapsed, static (observer, arguments) => observer.WaitedForRoom(arguments));

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) =>
        Notify((events, outstanding), static (observer, arguments) => observer.HandedOver(arguments.events, arguments.outstanding));

    public override void Begun(EventSlot receivedEvent, int inFlight) =>
        Notify((receivedEvent, inFlight), static (observer, arguments) => observer.Begun(arguments.receivedEvent, arguments.inFlight));

    public override void Acknowledged(long sequence, int sink, TimeSpan elapsed) =>
        Notify((sequence, sink, elapsed), static (observer, arguments) => observer.Acknowledged(arguments.sequence, arguments.sink, arguments.elapsed));

    public override void Completed(in EventCompletion completion) => Notify(completion, static (observer, arguments) => observer.Completed(arguments));

    public override void CompletedLate() => Notify(0, static (observer, _) => observer.CompletedLate());

    public override void TryFailed(int sink, MessagingException failure, AfterFailure next) =>
        Notify((sink, failure, next), static (observer, arguments) => observer.TryFailed(arguments.sink, arguments.failure, arguments.next));

    public override void WriteCut(int sink) => Notify(sink, static (observer, arguments) => observer.WriteCut(arguments));

    public override void ConcurrencyChanged(int degree) => Notify(degree, static (observer, arguments) => observer.ConcurrencyChanged(arguments));

    public override void BatchEnding() => Notify(0, static (observer, _) => observer.BatchEnding());

    public override void BatchEnded(int events, TimeSpan elapsed) =>
        Notify((events, elapsed), static (observer, arguments) => observer.BatchEnded(arguments.events, arguments.elapsed));

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) =>
        Notify((position, events, elapsed), static (observer, arguments) => observer.CheckpointStored(arguments.position, arguments.events, arguments.elapsed));

    public override void CheckpointFailed(TimeSpan elapsed) => Notify(elapsed, static (observer, arguments) => observer.CheckpointFailed(arguments));

    public override void Closing() => Notify(0, static (observer, _) => observer.Closing());

    public override void Closed(bool lost) => Notify(lost, static (observer, arguments) => observer.Closed(arguments));

    private void Notify<T>(T arguments, Action<PartitionObserver, T> notify)
    {
        try
        {
            notify(inner, arguments);
        }
        catch (Exception exception)
        {
            GuardedCallback.Report(exception, inner.GetType().Name, log);
        }
    }
}
