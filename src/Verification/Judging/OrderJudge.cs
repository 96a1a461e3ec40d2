using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Compares the order of beginnings and ends with the order of the log, per partition and per key. Each group is processed from its last event to its first,
/// so that the moments of later events are already known. The first writes of all events are one group, for all writers. The writes of one incarnation,
/// repeats included, are another.
/// </summary>
internal sealed class OrderJudge(ExternalSort<OrderFact> facts, OrderPromise promise, PartitionTable partitions, VerificationCounts findings)
{
    private readonly Dictionary<(int Incarnation, ushort Connection), OrderFact> own = [];
    private OrderGroup? group;
    private bool ofHandlers;
    private long earliestBegun;
    private long earliestStored;
    private OrderFact next;

    /// <summary>Adds an event to the groups of its partition and of its key.</summary>
    public void Add(PartitionTrack partition, in EventState state, MessageCopies copies)
    {
        if (state.Begun == 0 && state.IsExpired)
        {
            return;
        }

        if (state.Required == SinkSet.Handlers)
        {
            AddAcknowledged(partition, in state);
            return;
        }

        // No order is promised for writes after its dead letter: later events have overtaken it.
        var givenUp = state.DeadLettered > 0 ? state.DeadLettered : long.MaxValue;
        var ofPartition = OrderGroup.OfPartition(partition.Number);
        var fact = new OrderFact(
            ofPartition,
            partition.Number,
            state.Sequence,
            state.MessageBegun < givenUp ? state.MessageBegun : 0,
            state.MessageStored < givenUp ? state.MessageStored : 0,
            Math.Min(state.Begun, givenUp),
            state.Completed
        );
        facts.Add(fact);
        var ofKey = OrderGroup.OfKey(partition.Number, state.Key);
        if (state.Key != 0)
        {
            facts.Add(fact with { Group = ofKey });
        }

        if (promise == OrderPromise.Partition || (promise == OrderPromise.Key && state.Key != 0))
        {
            AddOwn(promise == OrderPromise.Key ? ofKey : ofPartition, partition.Number, state.Sequence, copies.OfIncarnations(givenUp));
        }
    }

    // The record has the ends of the handlers' calls alone. Their lines are compared with each other.
    private void AddAcknowledged(PartitionTrack partition, in EventState state)
    {
        ofHandlers = true;
        var end = state.HandlersDone && state.DeadLettered == 0 ? state.LastHandlerLine : 0;
        var fact = new OrderFact(OrderGroup.OfPartition(partition.Number), partition.Number, state.Sequence, 0, end, 0, 0);
        facts.Add(fact);
        if (state.Key != 0)
        {
            facts.Add(fact with { Group = OrderGroup.OfKey(partition.Number, state.Key) });
        }
    }

    public void Judge()
    {
        foreach (var fact in facts.Drain())
        {
            if (group != fact.Group)
            {
                group = fact.Group;
                earliestBegun = earliestStored = long.MaxValue;
                next = default;
            }

            var order = fact.Group.ByKey ? findings.OrderOfKey : findings.OrderOfPartition;
            if (fact.Group.IsOfIncarnation)
            {
                CompareRepeat(fact, order);
            }
            else
            {
                Compare(fact, order);
            }

            next = fact;
        }
    }

    private void AddOwn(OrderGroup of, int partition, long sequence, IEnumerable<IncarnationWrites> writes)
    {
        own.Clear();
        foreach (var write in writes)
        {
            var place = (write.Incarnation, write.Connection);
            var known = own.TryGetValue(place, out var before)
                ? before
                : new OrderFact(of.Of(write.Incarnation, write.Connection), partition, sequence, write.Begun, write.Stored, 0, 0);
            own[place] = known with { Begun = write.IsRepeat ? write.Begun : known.Begun, Completed = write.Stored };
        }

        foreach (var fact in own.Values)
        {
            facts.Add(fact);
        }
    }

    // Only repeats are charged here: the first write of an event is compared with the first writes of all others.
    private void CompareRepeat(OrderFact fact, OrderCounters order)
    {
        if (fact.Begun > earliestBegun)
        {
            order.Start.Add(partitions[fact.Partition], fact.Sequence, "a repeat of its write began after a write of a later event of the same incarnation");
        }

        if (fact.Begun > 0 && fact.Completed > earliestStored)
        {
            order.End.Add(partitions[fact.Partition], fact.Sequence, "a repeat of it reached the queue after a later event of the same incarnation");
        }

        if ((fact.Begun > 0 || next.Begun > 0) && next.MessageBegun > 0 && next.MessageBegun < fact.Completed)
        {
            order.Overlap.Add(partitions[next.Partition], next.Sequence, "its write began before the repeat of the preceding event was stored");
        }

        earliestBegun = Math.Min(earliestBegun, fact.MessageBegun);
        earliestStored = fact.MessageStored > 0 ? Math.Min(earliestStored, fact.MessageStored) : earliestStored;
    }

    private void Compare(OrderFact fact, OrderCounters order)
    {
        if (ComesLater(ref earliestBegun, fact.MessageBegun))
        {
            order.Start.Add(partitions[fact.Partition], fact.Sequence, "its first write began after the first write of a later event");
        }

        if (ComesLater(ref earliestStored, fact.MessageStored))
        {
            order.End.Add(
                partitions[fact.Partition],
                fact.Sequence,
                ofHandlers ? "it was acknowledged after a later event" : "it reached the queue after a later event"
            );
        }

        if (next.Begun > 0 && (fact.Completed == 0 || next.Begun < fact.Completed))
        {
            order.Overlap.Add(partitions[next.Partition], next.Sequence, "its first write began before the preceding event was complete");
        }
    }

    /// <summary>Whether a moment is after the earliest one so far, which belongs to a later event. Records it.</summary>
    private static bool ComesLater(ref long earliest, long moment)
    {
        if (moment == 0 || earliest < moment)
        {
            return moment != 0;
        }

        earliest = moment;
        return false;
    }
}
