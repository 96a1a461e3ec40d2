using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Judging;

/// <summary>Counts what is complete, what is missing, and what exists twice.</summary>
/// <param name="sharedRows">Receives rows that belong to several events.</param>
/// <param name="context">Has the totals of the journal.</param>
/// <param name="upToCheckpoint">Whether the run only claims the events up to its checkpoints.</param>
internal sealed class Accounting(ExternalSort<RowShare> sharedRows, JournalContext context, bool upToCheckpoint)
{
    private readonly VerificationCounts findings = context.VerificationCounts;
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
            EventOutcome = GetOutcome(in state),
            IsDelivered = state.Deliveries > 0,
            Partition = partition.Number,
            Sequence = state.Sequence,
        };
        if (state.SharedRow)
        {
            // One complete event is sufficient for the row. Which one is known when all have been read.
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
                best = (share.EventOutcome < other.EventOutcome ? share : other) with { IsDelivered = share.IsDelivered || other.IsDelivered };
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
        findings.Recovered += row is { Outcome: SendOutcome.Unknown, EventOutcome: EventOutcome.Complete } ? 1 : 0;
        if (row.Outcome != SendOutcome.Acked)
        {
            return;
        }

        findings.DeliveredEvents += row.IsDelivered ? 1 : 0;
        switch (row.EventOutcome)
        {
            case EventOutcome.Complete:
                findings.Complete++;
                break;
            case var _ when upToCheckpoint && row.Sequence > partitions[row.Partition].Position:
                findings.Unclaimed++;
                break;
            case EventOutcome.Unproven:
                findings.Unproven++;
                break;
            case EventOutcome.Expired:
                findings.Expired.Add(partitions[row.Partition], row.Sequence, "removed by retention before it was delivered");
                break;
            default:
                findings.Lost.Add(partitions[row.Partition], row.Sequence, Missing(row.EventOutcome));
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
                $"{state.Accepts} copies in the queue, delivered {Plural.Format(state.Deliveries, "time")}"
            );
        }
    }

    private EventOutcome GetOutcome(in EventState state) =>
        state.Missing == SinkSet.None ? EventOutcome.Complete
        : state.PerhapsCompleted(context.LastRestart) > 0 ? EventOutcome.Unproven
        : state.IsExpired ? EventOutcome.Expired
        : state.Missing == state.Required && state.Deliveries == 0 ? EventOutcome.NeverDelivered
        : state.Missing switch
        {
            SinkSet.Archive => state.BlobStored > 0 ? EventOutcome.BlobRemoved : EventOutcome.NoBlob,
            SinkSet.Queue => EventOutcome.NoMessage,
            SinkSet.Handlers => EventOutcome.NotAcknowledged,
            _ => EventOutcome.AtNeither,
        };

    private static string Missing(EventOutcome standing) =>
        standing switch
        {
            EventOutcome.NoBlob => "not in the container",
            EventOutcome.BlobRemoved => "removed from the container",
            EventOutcome.NoMessage => "not in the queue",
            EventOutcome.NotAcknowledged => "not acknowledged by every handler",
            EventOutcome.AtNeither => "at neither sink",
            _ => "never delivered",
        };
}
