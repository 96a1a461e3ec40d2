using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Adds up at the end: what is complete, what is missing, what is there twice.</summary>
internal sealed class Accounting(LedgerTable ledger, EventTable events, Findings findings)
{
    public void Close()
    {
        foreach (var log in events.Logs)
        {
            foreach (var place in log.RunEvents)
            {
                CloseEvent(log, ref events.States[place]);
            }
        }

        foreach (ref var entry in ledger.Entries)
        {
            CloseRow(ref entry);
        }
    }

    private void CloseEvent(PartitionLog log, ref EventState state)
    {
        if (state.Row != EventState.NoRow)
        {
            ref var entry = ref ledger.Entries[state.Row];
            entry.Complete |= state.Completed > 0;
            if (entry.Outcome == SendOutcome.Acked && state.Completed == 0)
            {
                // Named here, where partition and sequence are known; counted by row.
                entry.Missing ??= $"partition {log.Partition} sequence {state.Sequence}: {Missing(ref state)}";
            }
        }

        findings.DeadLettered += state.DeadLettered > 0 ? 1 : 0;
        CloseCopies(log, ref state);
    }

    private void CloseCopies(PartitionLog log, ref EventState state)
    {
        if (state.Accepts < 2)
        {
            return;
        }

        var extra = state.Accepts - 1;
        findings.DuplicateServiceBus += extra;
        // Each delivery may write once; an accepted message whose answer never left may have been written again; and a fault of
        // the laboratory may have stored one twice.
        var unanswered = findings.AnswersRecorded ? Math.Max(0, state.Accepts + state.Deduplicated - state.Injected - state.Answers) : 0;
        var explained = Math.Max(0, state.Deliveries - 1) + unanswered + state.Injected;
        if (extra > explained)
        {
            findings.ExcessServiceBus.Add(
                extra - explained, log.Partition, state.Sequence, $"{state.Accepts} copies in the queue, delivered {state.Deliveries} times");
        }
    }

    private void CloseRow(ref LedgerEntry entry)
    {
        if (entry.Outcome == SendOutcome.Acked)
        {
            if (entry.Complete)
            {
                findings.Complete++;
            }
            else
            {
                findings.Lost.Add(entry.Missing ?? $"index {entry.Index}: acknowledged, but never appended");
            }
        }
        else if (entry.Outcome == SendOutcome.Unknown && entry.Complete)
        {
            findings.Recovered++;
        }
    }

    private static string Missing(ref EventState state) => (state.MessageStored > 0, state.BlobStored > 0) switch
    {
        (true, false) => "not in the container",
        (false, true) => "not in the queue",
        _ => state.Deliveries > 0 ? "at neither sink" : "never delivered",
    };
}
