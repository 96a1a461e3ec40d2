using EventHubThroughput.Events;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Sending;

/// <summary>What becomes of events once their time has come. Every one that was taken gets one outcome in the recorder.</summary>
internal interface ISending
{
    /// <summary>Takes an event. Waits while there is no room for it.</summary>
    ValueTask AddAsync(PendingEvent pending, CancellationToken cancellationToken);

    /// <summary>Ends when nothing is in flight any more. Throws what has made the sending fail.</summary>
    Task EndAsync();
}

/// <summary>A stamped event on its way to the event hub.</summary>
internal sealed record PendingEvent(OutgoingEvent Event, EventStamp Stamp, string? Key);
