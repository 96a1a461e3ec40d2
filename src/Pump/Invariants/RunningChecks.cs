using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// The invariants of every moment of an ownership, checked with an independent record. Events in flight stay within the degree where that bounds events, and
/// outstanding events within window and replay limit (I9). Where a strategy promises the order of a partition or of a key, no event begins before an earlier
/// one is complete (I4). These loads grow only when events are handed over or begun, so it is sufficient to check them then. Before each checkpoint write,
/// the position passes no incomplete event (I2), and positions strictly increase (I3).
/// </summary>
/// <param name="partition">The partition.</param>
/// <param name="strategy">The strategy, and the order that it promises.</param>
/// <param name="degree">The limit of what the strategy's degree bounds.</param>
/// <param name="limits">Window and replay limit.</param>
/// <param name="record">The record to check against. This class maintains it.</param>
/// <param name="faults">Receives a breach before it is thrown.</param>
internal sealed class RunningChecks(
    string partition,
    StrategyDescriptor strategy,
    int degree,
    DispatchLimits limits,
    DeliveredEvents record,
    ProcessingFaults faults
) : PartitionObserver
{
    // Where the degree bounds operations, these are counted at the sinks. The window then limits the events.
    private readonly int mostInFlight = strategy.ConcurrencyBounds == ConcurrencyBound.Events ? degree : int.MaxValue;
    private readonly bool ordered = strategy.Ordering == OrderingGuarantee.Partition;

    // Updated under the lock of the ownership, like this class. Null where no order of keys is promised.
    private readonly KeyOrder? keys = strategy.Ordering == OrderingGuarantee.Key ? new KeyOrder() : null;
    private long handedOver;
    private long confirmed;

    // Checkpoints are written one at a time.
    private EventPosition? stored;

    /// <inheritdoc/>
    /// <exception cref="ProcessingFaultException">More events are outstanding than window or replay limit allow.</exception>
    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding)
    {
        record.Add(events);
        for (var place = 0; keys is not null && place < events.Count; place++)
        {
            keys.Add(events[place]);
        }

        handedOver += events.Count;
        if (outstanding > limits.Window)
        {
            Breach($"{outstanding} events above the low watermark", $"the window allows {limits.Window}");
        }

        var unconfirmed = handedOver - Interlocked.Read(ref confirmed);
        if (unconfirmed > limits.Replay)
        {
            Breach($"{unconfirmed} events above the confirmed checkpoint", $"the replay limit allows {limits.Replay}");
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ProcessingFaultException">More events are in flight than allowed, or the order is broken.</exception>
    public override void Begun(EventSlot receivedEvent, int inFlight)
    {
        var sequence = receivedEvent.SequenceNumber;
        if (inFlight > mostInFlight)
        {
            faults.Breach($"{inFlight} events in flight on partition {partition} with event {sequence}, the degree allows {degree}");
        }

        if (ordered && record.FirstOpen is { } open && open < sequence)
        {
            faults.Breach(
                $"strategy '{strategy.Name}' guarantees order, but started event {sequence} of partition {partition} before event {open} was complete ({record.Around(open)})"
            );
        }

        if (keys?.OpenBefore(sequence) is { } earlier)
        {
            faults.Breach(
                $"strategy '{strategy.Name}' guarantees order of each key, but started event {sequence} of partition {partition} before event {earlier} of the same key was complete ({record.Around(earlier)})"
            );
        }
    }

    /// <inheritdoc/>
    public override void Acknowledged(long sequence, int sink, TimeSpan elapsed)
    {
        if (record.Acknowledge(sequence, sink))
        {
            keys?.Complete(sequence);
        }
    }

    /// <inheritdoc/>
    public override void Completed(in EventCompletion completion)
    {
        if (completion.DeadLettered)
        {
            record.DeadLetter(completion.Sequence);
            keys?.Complete(completion.Sequence);
        }
    }

    /// <summary>Checks a position that is about to be stored. Called under the lock of the tracker.</summary>
    /// <exception cref="ProcessingFaultException">The position must not be stored.</exception>
    public void Storing(EventPosition position)
    {
        var sequence = position.SequenceNumber;
        if (record.FirstOpen is { } open && open <= sequence)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} would pass event {open}, which is not complete ({record.Around(open)})");

            // Only counted: once, and not again for every later position.
            record.PassOver(sequence);
        }

        if (sequence > record.Newest)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} is beyond {record.Newest}, the newest event delivered");
        }

        if (stored is { } before && sequence <= before.SequenceNumber)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} is not above {before.SequenceNumber}, stored before it ({record.Around(sequence)})");
        }
    }

    /// <remarks>A failed write may be repeated with the same position.</remarks>
    /// <inheritdoc/>
    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed)
    {
        stored = position;
        Interlocked.Add(ref confirmed, events);
    }

    private void Breach(string what, string limit) =>
        faults.Breach($"{what} of partition {partition} with event {record.Newest}, {limit} ({record.Around(record.FirstOpen ?? record.Newest)})");
}
