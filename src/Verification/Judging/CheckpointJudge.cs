using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Checks every checkpoint at its position in the partition. It is ahead when any event up to there was not complete strictly before it was stored. Only the
/// event that was complete last matters.
/// </summary>
internal sealed class CheckpointJudge(long lastRestart, long foundUntil, VerificationCounts findings)
{
    private const long Never = long.MaxValue;

    private PartitionTrack? partition;
    private long latest;
    private long latestSequence;

    /// <summary>An event of the run. They come in the order of partitions and sequence numbers.</summary>
    public void Pass(PartitionTrack of, in EventState state)
    {
        Enter(of);
        // No consumer can complete an event that retention removed, nor one that was lost with an emulator.
        var settled =
            state.Completed > 0 ? state.Completed
            : state.IsExpired ? Math.Max(state.Expired, state.Appended)
            : state.PerhapsCompleted(lastRestart) is > 0 and var perhaps ? perhaps
            : Never;
        if (settled > latest)
        {
            (latest, latestSequence) = (settled, state.Sequence);
        }
    }

    /// <summary>Checks the checkpoints at one position, after its event.</summary>
    public void Judge(PartitionTrack of, ReadOnlySpan<Fact> facts)
    {
        Enter(of);
        ulong? oddOffset = null;
        var isThere = false;
        foreach (ref readonly var fact in facts)
        {
            isThere |= fact.Kind == FactKind.Appended;
            oddOffset = fact.Kind == FactKind.OddOffset ? (ulong)fact.Number : oddOffset;
            if (fact.Kind != FactKind.Checkpoint || fact.Tick < foundUntil)
            {
                continue;
            }

            var agrees = !isThere || fact.Number == 0 || (oddOffset is { } odd ? odd == (ulong)fact.Number : fact.Is(FactFlags.UsualOffset));
            if (!agrees)
            {
                findings.CheckpointAhead.Add(of, fact.Sequence, "a checkpoint with the offset of another event");
            }
            else if (latest >= fact.Tick)
            {
                findings.CheckpointAhead.Add(of, latestSequence, $"not complete when checkpoint {fact.Sequence} was stored");
            }
        }
    }

    private void Enter(PartitionTrack of)
    {
        if (partition != of)
        {
            (partition, latest, latestSequence) = (of, 0, 0);
        }
    }
}
