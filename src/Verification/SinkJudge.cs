using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Follows every record of the two sinks and of the dead-letter store.</summary>
internal sealed class SinkJudge(LedgerTable ledger, EventTable events, VerificationScope scope, Findings findings)
{
    private const string NoContentType = "application/octet-stream";

    /// <summary>Whether a row that the ledger does not have proves anything.</summary>
    public bool LedgerIsWhole { get; set; } = true;

    public void Observe(MessageWritten record)
    {
        if (!string.Equals(record.Entity, scope.MessageEntity, StringComparison.OrdinalIgnoreCase))
        {
            return;
        }

        findings.AnswersRecorded |= record.Moment == WriteMoment.Answered;
        var subject = events.Find(DerivedName.FromMessageId(record.MessageId), out var log, out var place);
        if (record.Moment == WriteMoment.Stored)
        {
            Store(record, subject, log, place);
        }
        else if (subject == Subject.Run)
        {
            ref var state = ref events.States[place];
            if (record.Moment == WriteMoment.Answered)
            {
                state.Answers++;
            }
            else
            {
                Once(ref state.MessageBegun, record.Tick);
            }
        }
    }

    public void Observe(BlobWritten record)
    {
        if (record.Container == scope.DeadLetterContainer)
        {
            StoreDeadLetter(record);
        }
        else if (record.Container == scope.ArchiveContainer && record.Moment != WriteMoment.Answered)
        {
            var subject = events.Find(DerivedName.FromBlob(record.Name), out var log, out var place);
            if (subject == Subject.Run)
            {
                Upload(record, log!, ref events.States[place]);
            }
            else if (subject == Subject.Nothing && record.Moment == WriteMoment.Stored)
            {
                findings.Unexpected.Add("a blob in the archive whose name belongs to no event appended before");
            }
        }
    }

    /// <summary>A message that the emulator stores twice is no duplicate of the run's making.</summary>
    public void Observe(FaultInjected record)
    {
        if (record is { Point: "messageSend", Action: "duplicate" }
            && record.Target.StartsWith(scope.MessageEntity + "/", StringComparison.OrdinalIgnoreCase)
            && events.Find(DerivedName.FromMessageId(record.Target[(scope.MessageEntity.Length + 1)..]), out _, out var place) == Subject.Run)
        {
            events.States[place].Injected++;
        }
    }

    private void Store(MessageWritten record, Subject subject, PartitionLog? log, int place)
    {
        var stamp = Stamp.Of(record.Properties);
        if (subject != Subject.Run)
        {
            if (subject == Subject.Nothing || (stamp.Run is not null && stamp.Run == ledger.Run))
            {
                findings.Unexpected.Add("a message in the queue whose name belongs to no event of the run appended before");
            }

            return;
        }

        ref var state = ref events.States[place];
        var row = stamp.Run is null ? state.Row : stamp.Run == ledger.Run ? ledger.Find(stamp.Index) : EventState.NoRow;
        if (row == EventState.NoRow && (LedgerIsWhole || state.Row != EventState.NoRow))
        {
            findings.Unexpected.Add(log!.Partition, state.Sequence, "a message whose stamp is no row of the ledger");
        }

        if (row == EventState.NoRow && state.Row != EventState.NoRow)
        {
            // Under the event's name, but not the event: no copy of it.
            return;
        }

        if (record.Deduplicated)
        {
            state.Deduplicated++;
            return;
        }

        state.Accepts++;
        Once(ref state.MessageStored, record.Tick);
        var difference = row != state.Row ? "stamp"
            : Difference(record.Sha256, record.Length, state.Row)
            ?? (record.ContentType != state.ContentType ? "content type" : null)
            ?? (Digest.Parse(record.PropertiesSha256) != state.Properties ? "properties" : null);
        Compare(difference, "in the queue", log!, ref state);
    }

    private void Upload(BlobWritten record, PartitionLog log, ref EventState state)
    {
        if (record.Moment == WriteMoment.Begun)
        {
            Once(ref state.BlobBegun, record.Tick);
            if (state.Stores > 0 && (record.Sha256 is null || Difference(record.Sha256, record.Length, state.Row) is null))
            {
                findings.Repeated++;
            }

            return;
        }

        if (state.Row == EventState.NoRow && LedgerIsWhole)
        {
            findings.Unexpected.Add(log.Partition, state.Sequence, "a blob whose stamp is no row of the ledger");
        }

        if (state.Stores > 0 || record.Overwrote)
        {
            // What looked like a conflict at its beginning was none.
            findings.Repeated -= state.Stores > 0 && findings.Repeated > 0 ? 1 : 0;
            findings.DuplicateBlob.Add(log.Partition, state.Sequence, "its blob was stored again");
        }

        state.Stores++;
        Once(ref state.BlobStored, record.Tick);
        var difference = Difference(record.Sha256, record.Length, state.Row)
            ?? (SameBlobType(record.ContentType, state.ContentType) ? null : "content type")
            ?? (BlobMetadata.PropertiesOf(record.Metadata) == state.Properties ? null : "properties");
        Compare(difference, "in the container", log, ref state);
    }

    private void StoreDeadLetter(BlobWritten record)
    {
        if (record.Moment != WriteMoment.Stored
            || events.Find(DerivedName.FromBlob(record.Name), out var log, out var place) != Subject.Run)
        {
            return;
        }

        // A dead letter without a reason is a dropped event with a copy.
        if (string.IsNullOrEmpty(BlobMetadata.Find(record.Metadata, "reason")))
        {
            return;
        }

        ref var state = ref events.States[place];
        Once(ref state.DeadLettered, record.Tick);
        var wrong = BlobMetadata.Find(record.Metadata, "sha256") is { } sha256 && state.Row != EventState.NoRow
            && Digest.Parse(sha256) != ledger.Entries[state.Row].Sha256;
        Compare(wrong ? "bytes" : null, "among the dead letters", log!, ref state);
    }

    /// <summary>How a copy's body differs from the row's, or null.</summary>
    private string? Difference(string? sha256, long length, int row)
    {
        if (row == EventState.NoRow)
        {
            return null;
        }

        ref var entry = ref ledger.Entries[row];
        var digest = Digest.Parse(sha256);
        return digest.IsNone || digest != entry.Sha256 ? "bytes"
            : length != entry.Length || (digest == Digest.OfNothing && length != 0) ? "length"
            : null;
    }

    private void Compare(string? difference, string place, PartitionLog log, ref EventState state)
    {
        // An event is corrupt once, however many of its copies are.
        if (difference is not null && !state.Corrupt)
        {
            state.Corrupt = true;
            findings.Corrupt.Add(log.Partition, state.Sequence, $"other {difference} {place}");
        }
    }

    // A blob always has a content type; the service gives this one to a blob without.
    private static bool SameBlobType(string? blob, string? sent) => blob == sent || (sent is null && blob == NoContentType);

    private static void Once(ref long moment, long tick)
    {
        if (moment == 0)
        {
            moment = tick;
        }
    }
}
