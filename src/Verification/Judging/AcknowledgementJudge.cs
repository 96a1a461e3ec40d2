using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// Checks every checkpoint against the consumer's record. It is ahead when the record has an acknowledgement of an event up to there after the line with which
/// the checkpoint began. A stored checkpoint without such a line cannot be checked.
/// </summary>
/// <param name="context">Has the charges, and what existed before the run.</param>
internal sealed class AcknowledgementJudge(JournalContext context)
{
    private PartitionTrack? partition;
    private long latest;
    private long latestSequence;

    /// <summary>An event of the run. They come in the order of partitions and sequence numbers.</summary>
    public void Pass(PartitionTrack of, in EventState state)
    {
        Enter(of);
        // One that was never acknowledged is charged with the checkpoint in the journal.
        if (state.HandlersDone && state.LastHandlerLine > latest)
        {
            (latest, latestSequence) = (state.LastHandlerLine, state.Sequence);
        }
    }

    /// <summary>Checks the checkpoints at one position, after its event.</summary>
    public void Judge(PartitionTrack of, ReadOnlySpan<Fact> facts)
    {
        Enter(of);
        var (isStored, hasBegun) = (false, false);
        foreach (ref readonly var fact in facts)
        {
            isStored |= fact.Kind == FactKind.Checkpoint && fact.Tick >= context.FoundUntil;
            if (fact.Kind == FactKind.CheckpointBegun)
            {
                hasBegun = true;
                if (latest > fact.Number)
                {
                    context.VerificationCounts.CheckpointAhead.Add(
                        of,
                        latestSequence,
                        $"not acknowledged when checkpoint {fact.Sequence} was about to be stored"
                    );
                }
            }
        }

        if (isStored && !hasBegun)
        {
            context.VerificationCounts.Reasons.Add("a stored checkpoint is not in the record of acknowledgements");
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
