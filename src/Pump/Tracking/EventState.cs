namespace EventHubThroughput.Pump.Tracking;

/// <summary>The state of an event on its way through all sinks. Only <see cref="Done"/> and <see cref="DeadLettered"/> let the low watermark pass.</summary>
internal enum EventState : byte
{
    /// <summary>Handed over. At least one sink has not acknowledged it yet.</summary>
    Pending,

    /// <summary>Acknowledged by every sink.</summary>
    Done,

    /// <summary>A sink has given it up for good.</summary>
    Failed,

    /// <summary>A write of it was cancelled. Whether the sink has it is unknown.</summary>
    Cancelled,

    /// <summary>Given up by at least one sink, and stored with the reason in the dead-letter store. Acknowledged by all others.</summary>
    DeadLettered,

    /// <summary>Neither, but an unsafe strategy's position passes it. It counts as complete nowhere.</summary>
    PassedOver,
}

/// <summary>The result of a call of the tracker.</summary>
internal enum TrackResult : byte
{
    /// <summary>Recorded. The event is not complete yet.</summary>
    Recorded,

    /// <summary>Recorded. This completes the event.</summary>
    Completed,

    /// <summary>This sink had acknowledged the event before, or the event was complete already.</summary>
    Repeated,

    /// <summary>The event was never handed over in this ownership.</summary>
    Unknown,

    /// <summary>The ownership has ended. The call is ignored and counted.</summary>
    Closed,
}

/// <summary>Events that were handed over and are not complete.</summary>
/// <param name="Count">The number.</param>
/// <param name="First">The lowest sequence number among them. -1 when there are none.</param>
/// <param name="Cancelled">How many of them were cancelled.</param>
internal readonly record struct UnfinishedEvents(int Count, long First, int Cancelled);

/// <summary>A position that may be stored, and how many events of this ownership are at or below it.</summary>
internal readonly record struct WatermarkReading(Clients.EventHubs.EventPosition Position, long Passed);
