using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads what the queue and the archive accepted, and what faults did to them.</summary>
internal sealed class SinkReading(JournalContext context)
{
    private readonly BlobMetadata metadata = new();
    private readonly DeadLetterReading deadLetters = new(context);

    public void Message(RecordView record)
    {
        if (!context.MessageEntity.Is(record.Text(RecordField.Entity)))
        {
            return;
        }

        context.VerificationCounts.AnswersRecorded |= record.Kind == RecordKind.MessageAnswered;
        context.VerificationCounts.BeginningsRecorded |= record.Kind == RecordKind.MessageBegun;
        var subject = context.Names.OfMessage(record.Text(RecordField.MessageId), out var partition, out var sequence);
        if (subject == Subject.Event)
        {
            Message(record, partition!, sequence);
        }
        else if (record.Kind == RecordKind.MessageStored && (subject == Subject.Nothing || GetStamp(record).IsOurs))
        {
            context.VerificationCounts.Unexpected.Add("a message in the queue whose name belongs to no event of the run that was appended before");
        }
    }

    public void Blob(RecordView record)
    {
        if (context.DeadLetters.Is(record.Text(RecordField.Container)))
        {
            deadLetters.Stored(record);
            return;
        }

        if (!context.Archive.Is(record.Text(RecordField.Container)))
        {
            return;
        }

        var subject = context.Names.OfBlob(record.Text(RecordField.BlobName), out var partition, out var sequence);
        if (subject == Subject.Event)
        {
            context.Facts.Add(Archived(record, partition!, sequence));
        }
        else if (subject == Subject.Nothing && record.Kind == RecordKind.BlobStored)
        {
            context.VerificationCounts.Unexpected.Add("a blob in the archive whose name belongs to no event that was appended before");
        }
    }

    public void Deleted(RecordView record)
    {
        if (context.DeadLetters.Is(record.Text(RecordField.Container)))
        {
            deadLetters.Deleted(record);
        }
        else if (
            context.Archive.Is(record.Text(RecordField.Container))
            && context.Names.OfBlob(record.Text(RecordField.BlobName), out var partition, out var sequence) == Subject.Event
        )
        {
            context.Add(FactKind.BlobRemoved, partition!, sequence, record.Tick, 0);
        }
    }

    /// <summary>Records a fault of the laboratory, which is not the run's own behavior.</summary>
    public void Fault(RecordView record)
    {
        var target = record.Text(RecordField.Target);
        var ofQueue = context.MessageEntity.TryStrip(target, out var messageId);
        if (
            ofQueue
            && record.Text(RecordField.Point).SequenceEqual("messageSend"u8)
            && record.Text(RecordField.Action).SequenceEqual("duplicate"u8)
            && context.Names.OfMessage(messageId, out var partition, out var sequence) == Subject.Event
        )
        {
            context.Add(FactKind.MessageInjected, partition!, sequence, record.Tick, 0);
        }

        if (!Cuts(record.Text(RecordField.Action)))
        {
            return;
        }

        if (ofQueue || context.MessageEntity.Is(target) || target.StartsWith("servicebus"u8))
        {
            context.QueueCuts.Add(record.Tick);
        }
        else if (context.Archive.TryStrip(target, out _) || context.Archive.Is(target) || target.StartsWith("blob"u8))
        {
            context.ArchiveCuts.Add(record.Tick);
        }
    }

    // Requests under way when a connection or link ended may have been executed without an answer, for any target of the fault.
    private static bool Cuts(ReadOnlySpan<byte> action) =>
        action.SequenceEqual("drop"u8) || action.SequenceEqual("detach"u8) || action.SequenceEqual("loseAnswer"u8) || action.SequenceEqual("blackHole"u8);

    private Stamp GetStamp(RecordView record) => Stamp.Of(record.Map(RecordField.Properties), context.Run);

    private void Message(RecordView record, PartitionTrack partition, long sequence)
    {
        var connection = context.Connections.Seen(record.Text(RecordField.Connection), record.Tick);
        if (record.Kind == RecordKind.MessageBegun)
        {
            context.Connections.Begun(connection, record.Tick, record.Microseconds);
        }

        if (record.Kind == RecordKind.MessageStored)
        {
            var deduplicated = record.Flag(RecordField.Deduplicated) ? FactFlags.Deduplicated : FactFlags.None;
            var stored = ContentFact.Of(record, FactKind.MessageStored, partition, sequence, GetStamp(record), deduplicated);
            context.Facts.Add(stored with { Connection = connection });
            return;
        }

        context.Facts.Add(
            new Fact
            {
                Kind = record.Kind == RecordKind.MessageBegun ? FactKind.MessageBegun : FactKind.MessageAnswered,
                Partition = partition.Number,
                Connection = connection,
                Sequence = sequence,
                Tick = record.Tick,
                Length = record.Microseconds,
            }
        );
    }

    private Fact Archived(RecordView record, PartitionTrack partition, long sequence)
    {
        if (record.Kind == RecordKind.BlobBegun)
        {
            return ContentFact.Of(record, FactKind.BlobBegun, partition, sequence, default) with { Number = record.Microseconds };
        }

        var overwrote = record.Flag(RecordField.Overwrote) ? FactFlags.Overwrote : FactFlags.None;
        var isTrue = BlobMetadata.IsTrue(record) ? FactFlags.None : FactFlags.FalseMetadata;
        return ContentFact.Of(record, FactKind.BlobStored, partition, sequence, default, overwrote | isTrue) with
        {
            Properties = metadata.GetProperties(record),
        };
    }
}
