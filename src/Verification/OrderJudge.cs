namespace EventHubThroughput.Verification;

/// <summary>Compares the order of beginnings and ends with the order of the log, per partition and per key.</summary>
internal sealed class OrderJudge(EventTable events, Findings findings)
{
    // What a group (the whole partition, or one key of it) has shown so far on the way through the log.
    private readonly Dictionary<int, long> starts = [];
    private readonly Dictionary<int, long> ends = [];
    private readonly Dictionary<int, long> completions = [];

    public void Judge()
    {
        foreach (var log in events.Logs)
        {
            Judge(log, byKey: false);
            Judge(log, byKey: true);
        }
    }

    private void Judge(PartitionLog log, bool byKey)
    {
        starts.Clear();
        ends.Clear();
        completions.Clear();
        var states = events.States;
        for (var i = log.RunEvents.Count - 1; i >= 0; i--)
        {
            ref var state = ref states[log.RunEvents[i]];
            var group = byKey ? state.Key : EventState.NoKey;
            if (!byKey || group != EventState.NoKey)
            {
                CompareWithLater(log, ref state, group, byKey);
            }
        }

        for (var i = 0; i < log.RunEvents.Count; i++)
        {
            ref var state = ref states[log.RunEvents[i]];
            var group = byKey ? state.Key : EventState.NoKey;
            if (!byKey || group != EventState.NoKey)
            {
                CompareWithPrevious(log, ref state, group, byKey);
            }
        }
    }

    private void CompareWithLater(PartitionLog log, ref EventState state, int group, bool byKey)
    {
        if (ComesLater(starts, group, state.MessageBegun))
        {
            (byKey ? findings.OrderStartKey : findings.OrderStartPartition)
                .Add(log.Partition, state.Sequence, "its first write began after that of a later event");
        }

        if (ComesLater(ends, group, state.MessageStored))
        {
            (byKey ? findings.OrderEndKey : findings.OrderEndPartition)
                .Add(log.Partition, state.Sequence, "it reached the queue after a later event");
        }
    }

    private void CompareWithPrevious(PartitionLog log, ref EventState state, int group, bool byKey)
    {
        var begun = state.Begun;
        if (begun > 0 && completions.TryGetValue(group, out var completed) && (completed == 0 || begun < completed))
        {
            (byKey ? findings.OverlapKey : findings.OverlapPartition)
                .Add(log.Partition, state.Sequence, "its first write began before the event before it was complete");
        }

        completions[group] = state.Completed;
    }

    /// <summary>Whether a moment comes after the earliest of those seen, which belong to later events; adds it to them.</summary>
    private static bool ComesLater(Dictionary<int, long> earliest, int group, long moment)
    {
        if (moment == 0)
        {
            return false;
        }

        if (earliest.TryGetValue(group, out var other) && other < moment)
        {
            return true;
        }

        earliest[group] = moment;
        return false;
    }
}
