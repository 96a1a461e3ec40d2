using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification;

/// <summary>Decides which findings break a promise of this run and which could not be judged.</summary>
internal sealed class VerdictBuilder(VerificationScope scope, VerificationCounts findings, bool recordsExpiry)
{
    // What only the records of queue and archive show.
    private static readonly string[] OfCopies =
    [
        "corrupt",
        "duplicateServiceBus",
        "redundantDeadLetters",
        "duplicateBlob",
        "replayBound",
        "orderStartPartition",
        "orderStartKey",
        "overlapPartition",
        "overlapKey",
    ];

    // A missing event can only be distinguished from one under way after everything has ended and was recorded.
    private bool JudgesMissing => findings.Reasons.Count == 0;

    private bool JudgesDeliveries => findings.Delivered > 0;

    public Verdict Build(string? run)
    {
        var charges = Judged().Where(tally => tally.Count > 0).Select(tally => tally.Charge).ToArray();
        return new Verdict
        {
            Outcome =
                charges.Length > 0 ? VerdictOutcome.Fail
                : findings.Reasons.Count > 0 ? VerdictOutcome.Undecided
                : VerdictOutcome.Pass,
            Run = run,
            Sinks = scope.Sinks,
            Attempted = findings.Attempted,
            Acknowledged = findings.Acknowledged,
            Delivered = findings.DeliveredEvents,
            Complete = findings.Complete,
            DeadLettered = findings.DeadLettered,
            Lost = findings.Lost.Count,
            Recovered = findings.Recovered,
            Unexpected = findings.Unexpected.Count,
            Corrupt = findings.Corrupt.Count,
            DuplicateServiceBus = findings.DuplicateServiceBus,
            RedundantDeadLetters = findings.RedundantDeadLetters,
            DuplicateBlob = findings.DuplicateBlob.Count,
            Repeated = findings.Repeated,
            OrderStartPartition = findings.OrderOfPartition.Start.Count,
            OrderStartKey = findings.OrderOfKey.Start.Count,
            OrderEndPartition = findings.OrderOfPartition.End.Count,
            OrderEndKey = findings.OrderOfKey.End.Count,
            OverlapPartition = findings.OrderOfPartition.Overlap.Count,
            OverlapKey = findings.OrderOfKey.Overlap.Count,
            Checkpoints = findings.Checkpoints,
            CheckpointAhead = findings.CheckpointAhead.Count,
            CheckpointRegressionWithin = findings.RegressionWithin.Count,
            CheckpointRegressionAcross = findings.RegressionAcross,
            Replayed = findings.Replayed,
            ReplayExact = findings.ReplayExact,
            ReplayBound = scope.ReplayLimit,
            Expired = findings.Expired.Count,
            Accounting = findings.Accounting.Count,
            Unclaimed = findings.Unclaimed,
            Finished = findings.IsFinished,
            Charges = charges,
            Reasons = [.. findings.Reasons],
            NotJudged = [.. NotJudged().Distinct(StringComparer.Ordinal)],
        };
    }

    private IEnumerable<ViolationCounter> Judged()
    {
        if (JudgesMissing)
        {
            yield return findings.Lost;
            if (!scope.AcceptsExpired)
            {
                yield return findings.Expired;
            }
        }

        yield return findings.Unexpected;
        yield return findings.Corrupt;
        yield return findings.DuplicateBlob;
        if (JudgesDeliveries)
        {
            yield return findings.ExcessServiceBus;
            yield return findings.ExcessDeadLetters;
            yield return findings.Accounting;
            yield return findings.ReplayBound;
        }

        if (PromisedOrder() is { } order)
        {
            yield return order.Start;
            yield return order.End;
            yield return order.Overlap;
        }

        yield return findings.CheckpointAhead;
        yield return findings.RegressionWithin;
    }

    private OrderCounters? PromisedOrder() =>
        scope.Promise switch
        {
            OrderPromise.Partition => findings.OrderOfPartition,
            OrderPromise.Key => findings.OrderOfKey,
            _ => null,
        };

    private IEnumerable<string> NotJudged()
    {
        if (scope.Sinks == SinkSet.Handlers)
        {
            foreach (var field in OfCopies)
            {
                yield return field;
            }
        }

        if (!JudgesMissing)
        {
            yield return "lost";
        }

        if (!JudgesMissing || !recordsExpiry)
        {
            yield return "expired";
        }

        if (!JudgesDeliveries)
        {
            yield return "duplicateServiceBus";
            yield return "redundantDeadLetters";
            yield return "accounting";
        }

        // Without a limit it is still judged whether more was repeated than the crash explains.
        if (!JudgesDeliveries || scope.ReplayLimit is null)
        {
            yield return "replayBound";
        }
    }
}
