using EventHubThroughput.Events;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Sends events whose time has come. The recorder gets exactly one outcome for each event.</summary>
internal interface ISending
{
    /// <summary>Takes an event. Waits while there is no room for it.</summary>
    ValueTask AddAsync(PendingEvent pending, CancellationToken cancellationToken);

    /// <summary>Completes when nothing is in flight any more. Throws the exception that made the sending fail.</summary>
    Task EndAsync();
}

/// <summary>A stamped event on its way to the event hub.</summary>
internal sealed record PendingEvent(OutgoingEvent Event, EventStamp Stamp, string? Key);
