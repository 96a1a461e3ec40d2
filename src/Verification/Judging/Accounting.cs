using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Judging;

/// <summary>Adds up: what is complete, what is missing, what is there twice.</summary>
/// <param name="sharedRows">Where rows go of which several events are.</param>
/// <param name="context">What the journal told as a whole.</param>
/// <param name="upToCheckpoint">Whether the run claims no more than the events up to its checkpoints.</param>
internal sealed class Accounting(ExternalSort<RowShare> sharedRows, JournalContext context, bool upToCheckpoint)
{
    private readonly Findings findings = context.Findings;
    private readonly PartitionTable partitions = context.Partitions;

    public void Add(PartitionTrack partition, in EventState state)
    {
        AddCopies(partition, in state);
        findings.DeadLettered += state.IsDeadLettered ? 1 : 0;
        if (!state.HasRow)
        {
            return;
        }

        if (findings.Delivered > 0 && state.Completed > 0 && state.Deliveries == 0)
        {
            findings.Accounting.Add(partition, state.Sequence, "complete, but never delivered");
        }
        else if (state.Delivered > 0 && state.Begun > 0 && state.Begun < state.Delivered)
        {
            findings.Accounting.Add(partition, state.Sequence, "its first write began before it was delivered");
        }
        else if (state.DeadLettered > context.FoundUntil && state.DeadLettered < state.Delivered)
        {
            findings.Accounting.Add(partition, state.Sequence, "it was a dead letter before it was delivered");
        }

        var row = new RowShare
        {
            Index = state.Index,
            Outcome =
                state.Acknowledged ? SendOutcome.Acked
                : state.Unknown ? SendOutcome.Unknown
                : SendOutcome.Failed,
            Standing = StandingOf(in state),
            IsDelivered = state.Deliveries > 0,
            Partition = partition.Number,
            Sequence = state.Sequence,
        };
        if (state.SharedRow)
        {
            // It is enough that one of the events is complete; which one is known when all were seen.
            sharedRows.Add(row);
        }
        else
        {
            Close(row);
        }
    }

    public void Close()
    {
        RowShare? best = null;
        foreach (var share in sharedRows.Drain())
        {
            if (best is { } other && other.Index == share.Index)
            {
                best = (share.Standing < other.Standing ? share : other) with { IsDelivered = share.IsDelivered || other.IsDelivered };
                continue;
            }

            CloseShared(best);
            best = share;
        }

        CloseShared(best);
    }

    private void CloseShared(RowShare? best)
    {
        if (best is { } share)
        {
            Close(share);
        }
    }

    private void Close(RowShare row)
    {
        findings.Recovered += row is { Outcome: SendOutcome.Unknown, Standing: Standing.Complete } ? 1 : 0;
        if (row.Outcome != SendOutcome.Acked)
        {
            return;
        }

        findings.DeliveredEvents += row.IsDelivered ? 1 : 0;
        switch (row.Standing)
        {
            case Standing.Complete:
                findings.Complete++;
                break;
            case var _ when upToCheckpoint && row.Sequence > partitions[row.Partition].Position:
                findings.Unclaimed++;
                break;
            case Standing.Unproven:
                findings.Unproven++;
                break;
            case Standing.Expired:
                findings.Expired.Add(partitions[row.Partition], row.Sequence, "removed by retention before it was delivered");
                break;
            default:
                findings.Lost.Add(partitions[row.Partition], row.Sequence, Missing(row.Standing));
                break;
        }
    }

    private void AddCopies(PartitionTrack partition, in EventState state)
    {
        if (state.Accepts < 2)
        {
            return;
        }

        findings.DuplicateServiceBus += state.Accepts - 1;
        if (state.WithoutCause > 0)
        {
            findings.ExcessServiceBus.Add(
                state.WithoutCause,
                partition,
                state.Sequence,
                $"{state.Accepts} copies in the queue, delivered {Counted.Of(state.Deliveries, "time")}"
            );
        }
    }

    private Standing StandingOf(in EventState state) =>
        state.Missing == SinkSet.None ? Standing.Complete
        : state.PerhapsCompleted(context.LastRestart) > 0 ? Standing.Unproven
        : state.IsExpired ? Standing.Expired
        : state.Missing == state.Required && state.Deliveries == 0 ? Standing.NeverDelivered
        : state.Missing switch
        {
            SinkSet.Archive => state.BlobStored > 0 ? Standing.BlobRemoved : Standing.NoBlob,
            SinkSet.Queue => Standing.NoMessage,
            _ => Standing.AtNeither,
        };

    private static string Missing(Standing standing) =>
        standing switch
        {
            Standing.NoBlob => "not in the container",
            Standing.BlobRemoved => "removed from the container",
            Standing.NoMessage => "not in the queue",
            Standing.AtNeither => "at neither sink",
            _ => "never delivered",
        };
}
