using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing.Faults;

namespace EventHubThroughput.Processing.Invariants;

/// <summary>
/// Invariants I2 and I3, before each checkpoint write: the position never passes an event that is not complete, and positions
/// strictly increase within one ownership.
/// </summary>
internal sealed class CheckpointCheck(string partition, DeliveredEvents delivered, ProcessingFaults faults)
{
    // Checkpoints are written one at a time.
    private EventPosition? last;

    /// <exception cref="ProcessingFaultException">The position must not be stored.</exception>
    public void BeforeStoring(EventPosition position)
    {
        var sequence = position.SequenceNumber;
        if (delivered.FirstOpen is { } open && open <= sequence)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} would pass event {open}, which is not complete ({delivered.Around(open)})");

            // Counted only: told once, and not again by every later position.
            delivered.PassOver(sequence);
        }

        if (sequence > delivered.Newest)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} lies beyond {delivered.Newest}, the newest event delivered");
        }

        if (last is { } before && sequence <= before.SequenceNumber)
        {
            faults.Breach(
                $"checkpoint {sequence} of partition {partition} is not above {before.SequenceNumber}, stored before it ({delivered.Around(sequence)})"
            );
        }
    }

    /// <summary>The position is stored. A write that failed may be repeated with the same position.</summary>
    public void Stored(EventPosition position) => last = position;
}
