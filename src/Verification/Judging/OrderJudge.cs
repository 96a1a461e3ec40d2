using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Compares the order of beginnings and ends with the order of the log, per partition and per key. Each group is gone through from
/// its last event to its first, so what an event must not come after is known already.
/// </summary>
internal sealed class OrderJudge(ExternalSort<OrderFact> facts, PartitionTable partitions, Findings findings)
{
    private ulong? group;
    private long earliestBegun;
    private long earliestStored;
    private OrderFact next;

    /// <summary>Takes an event as a member of its partition and of its key.</summary>
    public void Add(PartitionTrack partition, in EventState state)
    {
        if (state.Begun == 0 && state.IsExpired)
        {
            return;
        }

        // No order is promised for what is written once its dead letter is there: later events have gone by.
        var givenUp = state.DeadLettered > 0 ? state.DeadLettered : long.MaxValue;
        var fact = new OrderFact(
            (ulong)partition.Number,
            partition.Number,
            state.Sequence,
            state.MessageBegun < givenUp ? state.MessageBegun : 0,
            state.MessageStored < givenUp ? state.MessageStored : 0,
            Math.Min(state.Begun, givenUp),
            state.Completed
        );
        facts.Add(fact);
        if (state.Key != 0)
        {
            facts.Add(fact with { Group = OrderFact.GroupOf(partition.Number, state.Key) });
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

            Compare(fact);
            next = fact;
        }
    }

    private void Compare(OrderFact fact)
    {
        if (ComesLater(ref earliestBegun, fact.MessageBegun))
        {
            (fact.ByKey ? findings.OrderStartKey : findings.OrderStartPartition).Add(
                partitions[fact.Partition],
                fact.Sequence,
                "its first write began after that of a later event"
            );
        }

        if (ComesLater(ref earliestStored, fact.MessageStored))
        {
            (fact.ByKey ? findings.OrderEndKey : findings.OrderEndPartition).Add(
                partitions[fact.Partition],
                fact.Sequence,
                "it reached the queue after a later event"
            );
        }

        if (next.Begun > 0 && (fact.Completed == 0 || next.Begun < fact.Completed))
        {
            (fact.ByKey ? findings.OverlapKey : findings.OverlapPartition).Add(
                partitions[next.Partition],
                next.Sequence,
                "its first write began before the event before it was complete"
            );
        }
    }

    /// <summary>Whether a moment comes after the earliest of those seen, which belong to later events; adds it to them.</summary>
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
