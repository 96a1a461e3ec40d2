using System.Runtime.CompilerServices;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The verdict in the form of results, the same for every source of it.</summary>
internal static class VerdictDocument
{
    /// <param name="verdictReport">The verdict and the line about it.</param>
    /// <param name="unknown">Names of numbers of which the evidence has no trace: null, never 0.</param>
    public static SafetyFigures Of(VerdictReport verdictReport, IReadOnlyCollection<string>? unknown = null)
    {
        var safety = new SafetyFigures
        {
            Verdict = verdictReport.Standing,
            Line = verdictReport.Line,
            Unjudged = verdictReport.Unjudged,
        };
        return verdictReport.Verdict is { } verdict ? WithNumbers(safety, verdict, unknown ?? []) : safety;
    }

    private static SafetyFigures WithNumbers(SafetyFigures safety, Verdict verdict, IReadOnlyCollection<string> unknown)
    {
        return safety with
        {
            Outcome = verdict.Outcome,
            Run = verdict.Run,
            Attempted = Known(verdict.Attempted),
            Acknowledged = Known(verdict.Acknowledged),
            Delivered = Known(verdict.Delivered),
            Complete = Known(verdict.Complete),
            DeadLettered = Known(verdict.DeadLettered),
            Lost = Known(verdict.Lost),
            Unclaimed = Known(verdict.Unclaimed),
            Recovered = Known(verdict.Recovered),
            Unexpected = Known(verdict.Unexpected),
            Corrupt = Known(verdict.Corrupt),
            DuplicateServiceBus = Known(verdict.DuplicateServiceBus),
            RedundantDeadLetters = Known(verdict.RedundantDeadLetters),
            DuplicateBlob = Known(verdict.DuplicateBlob),
            Repeated = Known(verdict.Repeated),
            OrderStartPartition = Known(verdict.OrderStartPartition),
            OrderStartKey = Known(verdict.OrderStartKey),
            OrderEndPartition = Known(verdict.OrderEndPartition),
            OrderEndKey = Known(verdict.OrderEndKey),
            OverlapPartition = Known(verdict.OverlapPartition),
            OverlapKey = Known(verdict.OverlapKey),
            Checkpoints = Known(verdict.Checkpoints),
            CheckpointAhead = Known(verdict.CheckpointAhead),
            CheckpointRegressionWithin = Known(verdict.CheckpointRegressionWithin),
            CheckpointRegressionAcross = Known(verdict.CheckpointRegressionAcross),
            Replayed = Known(verdict.Replayed),
            ReplayExact = Known(verdict.ReplayExact),
            ReplayBound = Known(verdict.ReplayBound),
            Expired = Known(verdict.Expired),
            Accounting = Known(verdict.Accounting),
            Charges = verdict.Charges,
            Finished = verdict.Finished,
            Reasons = verdict.Reasons,
            NotJudged = verdict.NotJudged,
            Summary = verdict.Summary,
        };

        // The name of the number comes from the expression that reads it.
        long? Known(long? number, [CallerArgumentExpression(nameof(number))] string expression = "") =>
            unknown.Contains(ResultJson.Naming(expression.Split('.')[^1])) ? null : number;
    }
}
