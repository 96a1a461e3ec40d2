using EventHubThroughput.Events;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Sending;

/// <summary>A stamped event on its way to the event hub.</summary>
internal sealed record PendingEvent(OutgoingEvent Event, EventStamp Stamp, string? Key);
