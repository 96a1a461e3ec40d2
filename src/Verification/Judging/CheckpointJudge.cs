using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Judges every checkpoint where its position comes by in the partition: ahead it is when any event up to there was not complete
/// strictly before it was stored. It is enough to know the event that was complete last.
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
        // What retention took is nobody's to complete, and what an emulator took with it cannot be held against anybody.
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

    /// <summary>The checkpoints at one position, behind its event.</summary>
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
