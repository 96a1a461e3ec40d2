using EventHubThroughput.Events;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Counts for each crash and change of owner how many events it repeated, and how many were allowed: those that had begun before and were above the
/// checkpoint stored then.
/// </summary>
internal sealed class ReplayJudge
{
    private readonly VerificationScope scope;
    private readonly VerificationCounts findings;
    private readonly PartitionTable partitions;

    public ReplayJudge(VerificationScope scope, VerificationCounts findings, PartitionTable partitions)
    {
        (this.scope, this.findings, this.partitions) = (scope, findings, partitions);
        foreach (var partition in partitions.All)
        {
            var lowest = long.MaxValue;
            for (var i = partition.Incarnations.Count - 1; i >= 0; i--)
            {
                var incarnation = partition.Incarnations[i];
                lowest = Math.Min(lowest, incarnation.Stored);
                incarnation.LowestAhead = lowest;
            }
        }
    }

    /// <summary>Adds one event of the run with all its facts.</summary>
    public void Follow(in EventState state, ReadOnlySpan<Fact> facts)
    {
        // An event that was given up without an attempt to write it was still handled.
        var begun = state.Begun > 0 ? state.Begun : state.DeadLettered;
        if (begun == 0)
        {
            return;
        }

        var incarnations = partitions[facts[0].Partition].Incarnations;
        for (var i = FirstAfter(incarnations, begun); i < incarnations.Count && incarnations[i].LowestAhead < state.Sequence; i++)
        {
            incarnations[i].Allowed += state.Sequence > incarnations[i].Stored ? 1 : 0;
            incarnations[i].Unconfirmed += state.Sequence > incarnations[i].Highest ? 1 : 0;
        }

        foreach (ref readonly var fact in facts)
        {
            if (fact.Kind == FactKind.Delivered && incarnations[(int)fact.Number] is var incarnation && begun < incarnation.Since)
            {
                incarnation.Replayed++;
                incarnation.Unexcused += state.Sequence <= incarnation.Known ? 1 : 0;
            }
        }
    }

    public void Close()
    {
        foreach (var partition in partitions.All)
        {
            foreach (var incarnation in partition.Incarnations)
            {
                findings.ReplayExact = Math.Max(findings.ReplayExact, incarnation.Allowed);
                Judge(partition, incarnation);
            }
        }
    }

    private void Judge(PartitionTrack partition, Incarnation incarnation)
    {
        if (incarnation.Unexcused > 0)
        {
            findings.ReplayBound.Add(
                partition,
                incarnation.Known,
                $"{Plural.Format(incarnation.Unexcused, "event")} repeated up to this checkpoint, which its reader must have read (tick {incarnation.Since})"
            );
        }
        else if (incarnation.Unconfirmed > scope.ReplayLimit)
        {
            findings.ReplayBound.Add(
                partition,
                incarnation.Highest,
                $"{Plural.Format(incarnation.Unconfirmed, "event")} had begun above this checkpoint, the limit is {scope.ReplayLimit} (tick {incarnation.Since})"
            );
        }
    }

    private static int FirstAfter(List<Incarnation> incarnations, long tick)
    {
        var (low, high) = (0, incarnations.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = incarnations[middle].Since > tick ? (low, middle) : (middle + 1, high);
        }

        return low;
    }
}
