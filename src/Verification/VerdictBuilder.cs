using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Decides which findings break a promise of this run and which could not be judged.</summary>
internal static class VerdictBuilder
{
    public static Verdict Build(LedgerTable ledger, VerificationScope scope, Findings findings, bool ledgerIsWhole, bool journalEndsEarly)
    {
        AddReasons(ledger, scope, findings, ledgerIsWhole, journalEndsEarly);
        var judgeLost = findings.Reasons.Count == 0;
        var charges = Judged(scope.Promise, findings, judgeLost).Where(tally => tally.Count > 0).Select(tally => tally.Charge).ToArray();
        var (attempted, acknowledged) = Count(ledger);
        return new Verdict
        {
            Outcome = charges.Length > 0 ? VerdictOutcome.Fail
                : findings.Reasons.Count > 0 ? VerdictOutcome.Undecided
                : VerdictOutcome.Pass,
            Run = ledger.Run,
            Attempted = attempted,
            Acknowledged = acknowledged,
            Complete = findings.Complete,
            DeadLettered = findings.DeadLettered,
            Lost = findings.Lost.Count,
            Recovered = findings.Recovered,
            Unexpected = findings.Unexpected.Count,
            Corrupt = findings.Corrupt.Count,
            DuplicateServiceBus = findings.DuplicateServiceBus,
            DuplicateBlob = findings.DuplicateBlob.Count,
            Repeated = findings.Repeated,
            OrderStartPartition = findings.OrderStartPartition.Count,
            OrderStartKey = findings.OrderStartKey.Count,
            OrderEndPartition = findings.OrderEndPartition.Count,
            OrderEndKey = findings.OrderEndKey.Count,
            OverlapPartition = findings.OverlapPartition.Count,
            OverlapKey = findings.OverlapKey.Count,
            Checkpoints = findings.Checkpoints,
            CheckpointAhead = findings.CheckpointAhead.Count,
            CheckpointRegressionWithin = findings.RegressionWithin.Count,
            CheckpointRegressionAcross = findings.RegressionAcross,
            Replayed = findings.Replayed,
            Charges = charges,
            Reasons = [.. findings.Reasons],
            NotJudged = NotJudged(findings, judgeLost),
        };
    }

    private static void AddReasons(
        LedgerTable ledger, VerificationScope scope, Findings findings, bool ledgerIsWhole, bool journalEndsEarly)
    {
        AddIf(!scope.RunFinished, "the run did not finish");
        AddIf(!ledgerIsWhole, "the ledger ends early");
        AddIf(journalEndsEarly, "the journal ends early");
        AddIf(ledger.Entries.IsEmpty, "the ledger has no event of this run and hub");
        AddIf(scope.Run is null && ledger.HasOtherRuns, "the ledger has several runs and none was named");
        AddIf(findings.Appended > 0 && !findings.StampsRecorded, "the journal does not tell eht-run and eht-index");

        void AddIf(bool holds, string reason)
        {
            if (holds)
            {
                findings.Reasons.Add(reason);
            }
        }
    }

    private static IEnumerable<Tally> Judged(OrderPromise promise, Findings findings, bool judgeLost)
    {
        if (judgeLost)
        {
            yield return findings.Lost;
        }

        yield return findings.Unexpected;
        yield return findings.Corrupt;
        yield return findings.DuplicateBlob;
        if (findings.Delivered > 0)
        {
            yield return findings.ExcessServiceBus;
        }

        if (promise == OrderPromise.Partition)
        {
            yield return findings.OrderStartPartition;
            yield return findings.OrderEndPartition;
            yield return findings.OverlapPartition;
        }

        if (promise == OrderPromise.Key)
        {
            yield return findings.OrderStartKey;
            yield return findings.OrderEndKey;
            yield return findings.OverlapKey;
        }

        yield return findings.CheckpointAhead;
        yield return findings.RegressionWithin;
    }

    private static List<string> NotJudged(Findings findings, bool judgeLost)
    {
        var notJudged = new List<string> { "replayBound", "expired" };
        if (!judgeLost)
        {
            notJudged.Add("lost");
        }

        if (findings.Delivered == 0)
        {
            notJudged.Add("duplicateServiceBus");
        }

        return notJudged;
    }

    private static (long Attempted, long Acknowledged) Count(LedgerTable ledger)
    {
        long acknowledged = 0;
        foreach (ref var entry in ledger.Entries)
        {
            acknowledged += entry.Outcome == SendOutcome.Acked ? 1 : 0;
        }

        return (ledger.Entries.Length, acknowledged);
    }
}
