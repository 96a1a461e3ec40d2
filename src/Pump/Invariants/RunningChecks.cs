using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// The invariants that hold at every instant of an ownership, looked at with a record of its own: events in flight stay within the
/// degree where that bounds events, those handed over within window and replay limit (I9), and where the order of a partition, or of a key, is
/// promised no event is begun while an earlier one of it is not complete (I4). All of these loads grow by handing over and beginning alone, so that looking then is looking
/// always. Before each checkpoint write, the position passes no event that is not complete (I2), and positions strictly increase (I3).
/// </summary>
/// <param name="partition">The partition.</param>
/// <param name="strategy">The strategy, and the order that it promises.</param>
/// <param name="degree">Most of what the strategy's degree bounds.</param>
/// <param name="limits">Window and replay limit.</param>
/// <param name="record">The record that they go by; kept here.</param>
/// <param name="faults">Where a breach is reported before it is thrown.</param>
internal sealed class RunningChecks(
    string partition,
    StrategyDescriptor strategy,
    int degree,
    DispatchLimits limits,
    DeliveredEvents record,
    ProcessingFaults faults
) : PartitionObserver
{
    // Where the degree bounds operations, these are counted at the sinks, and the events are within the window, as all that are handed over.
    private readonly int mostInFlight = strategy.ConcurrencyBounds == ConcurrencyBound.Events ? degree : int.MaxValue;
    private readonly bool ordered = strategy.Ordering == OrderingGuarantee.Partition;

    // Told under the lock of the ownership, as this is; null where no order of keys is promised.
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

    /// <summary>A position is about to be stored; called under the lock of the tracker.</summary>
    /// <exception cref="ProcessingFaultException">It must not be stored.</exception>
    public void Storing(EventPosition position)
    {
        var sequence = position.SequenceNumber;
        if (record.FirstOpen is { } open && open <= sequence)
        {
            faults.Breach($"checkpoint {sequence} of partition {partition} would pass event {open}, which is not complete ({record.Around(open)})");

            // Counted only: told once, and not again by every later position.
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

    /// <remarks>A write that failed may be repeated with the same position.</remarks>
    /// <inheritdoc/>
    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed)
    {
        stored = position;
        Interlocked.Add(ref confirmed, events);
    }

    private void Breach(string what, string limit) =>
        faults.Breach($"{what} of partition {partition} with event {record.Newest}, {limit} ({record.Around(record.FirstOpen ?? record.Newest)})");
}
