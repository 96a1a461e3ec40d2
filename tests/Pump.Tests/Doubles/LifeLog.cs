using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>Remembers what an ownership reported, in order, as one line each.</summary>
internal sealed class LifeLog : PartitionObserver
{
    public Recorded<string> Lines { get; } = [];

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom) => Lines.Add("opened");

    public override void BatchReceived(int events, TimeSpan? waited) => Lines.Add($"received {events}, waited {Seconds(waited)}");

    public override void WaitedForRoom(TimeSpan elapsed) => Lines.Add($"room after {Seconds(elapsed)}");

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) => Lines.Add($"handed over {events.Count} of {outstanding}");

    public override void TryFailed(int sink, MessagingException failure, AfterFailure next) => Lines.Add($"{failure.Kind} at {sink}: {next}");

    public override void WriteCut(int sink) => Lines.Add($"cut at {sink}");

    public override void BatchEnding() => Lines.Add("batch ending");

    public override void BatchEnded(int events, TimeSpan elapsed) => Lines.Add($"ended {events} after {Seconds(elapsed)}");

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) => Lines.Add($"stored {events}");

    public override void Closing() => Lines.Add("closing");

    public override void Closed(bool lost) => Lines.Add(lost ? "lost" : "closed");

    private static string Seconds(TimeSpan? time) => time is { } known ? $"{known.TotalSeconds:0} s" : "none";
}
