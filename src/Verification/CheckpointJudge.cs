using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>
/// Judges every checkpoint at the moment at which it was stored: the journal is read in order, so what is complete now was
/// complete strictly before it.
/// </summary>
internal sealed class CheckpointJudge(EventTable events, VerificationScope scope, Findings findings)
{
    public void Observe(CheckpointWritten record)
    {
        if (record.Moment != WriteMoment.Stored || record.Container != scope.CheckpointContainer || !events.IsOurHub(record.Hub)
            || !string.Equals(record.Group, scope.Group, StringComparison.OrdinalIgnoreCase))
        {
            return;
        }

        findings.Checkpoints++;
        var log = events.Log(record.Partition);
        if (string.IsNullOrEmpty(record.Sequence) && string.IsNullOrEmpty(record.Offset))
        {
            // A placeholder claims nothing.
            return;
        }

        if (Position(record, log) is not { } position)
        {
            findings.CheckpointAhead.Add($"partition {record.Partition}: a checkpoint whose position was never appended");
            return;
        }

        JudgeAhead(record, log, position);
        JudgeOrder(record, log, position);
    }

    private static long? Position(CheckpointWritten record, PartitionLog log) =>
        string.IsNullOrEmpty(record.Sequence)
            ? log.SequenceOf(record.Offset!)
            : long.TryParse(record.Sequence, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var sequence)
                ? sequence
                : null;

    private void JudgeAhead(CheckpointWritten record, PartitionLog log, long position)
    {
        if (position > log.Last)
        {
            findings.CheckpointAhead.Add(record.Partition, position, "a checkpoint beyond the end of the partition");
            return;
        }

        if (!string.IsNullOrEmpty(record.Sequence) && !string.IsNullOrEmpty(record.Offset) && !log.Agree(position, record.Offset))
        {
            findings.CheckpointAhead.Add(record.Partition, position, "a checkpoint with the offset of another event");
            return;
        }

        var states = events.States;
        var trail = log.Checkpoints;
        while (trail.CompleteRun < log.RunEvents.Count && states[log.RunEvents[trail.CompleteRun]].Completed > 0)
        {
            trail.CompleteRun++;
        }

        if (trail.CompleteRun < log.RunEvents.Count && states[log.RunEvents[trail.CompleteRun]].Sequence is var first && first <= position)
        {
            findings.CheckpointAhead.Add(record.Partition, first, $"not complete when checkpoint {position} was stored");
        }
    }

    private void JudgeOrder(CheckpointWritten record, PartitionLog log, long position)
    {
        var trail = log.Checkpoints;
        if (trail.LastPosition is { } last)
        {
            if (trail.LastClient == record.ClientId && trail.LastLink == log.Link)
            {
                if (position <= last)
                {
                    findings.RegressionWithin.Add(record.Partition, position, $"a checkpoint after checkpoint {last} of the same owner");
                }
            }
            else if (position < last)
            {
                findings.RegressionAcross++;
            }
        }

        trail.LastPosition = position;
        trail.LastClient = record.ClientId;
        trail.LastLink = log.Link;
    }
}
