using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>The moments of an event reported without a clock.</summary>
internal static class TrackerMoments
{
    public static TrackResult Acknowledge(this EventTracker tracker, long sequence, int sink) => tracker.Acknowledge(sequence, sink, started: 0, now: 0);

    public static TrackResult DeadLetter(this EventTracker tracker, long sequence, int sink) => tracker.DeadLetter(sequence, sink, now: 0);
}

/// <summary>Remembers how events were begun and became complete.</summary>
internal sealed class Completions : PartitionObserver
{
    public Recorded<EventCompletion> All { get; } = [];

    public Recorded<(long Sequence, int InFlight)> Begins { get; } = [];

    /// <summary>Remembers nothing from now on, and allocates nothing.</summary>
    public bool Forgets { get; set; }

    public override void Begun(EventSlot receivedEvent, int inFlight)
    {
        if (!Forgets)
        {
            Begins.Add((receivedEvent.SequenceNumber, inFlight));
        }
    }

    public override void Completed(in EventCompletion completion)
    {
        if (!Forgets)
        {
            All.Add(completion);
        }
    }
}
