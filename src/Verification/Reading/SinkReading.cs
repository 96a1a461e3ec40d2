using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads what the queue, the archive and the dead-letter store took in.</summary>
internal sealed class SinkReading(JournalContext context)
{
    private static ReadOnlySpan<byte> Supplement => ".properties"u8;

    private byte[] decoded = new byte[256];

    public void Message(RecordView record)
    {
        if (!context.MessageEntity.Is(record.Text(RecordField.Entity)))
        {
            return;
        }

        context.Findings.AnswersRecorded |= record.Kind == RecordKind.MessageAnswered;
        var subject = context.Names.OfMessage(record.Text(RecordField.MessageId), out var partition, out var sequence);
        if (subject == Subject.Event)
        {
            Message(record, partition!, sequence);
        }
        else if (record.Kind == RecordKind.MessageStored && (subject == Subject.Nothing || StampOf(record).IsOurs))
        {
            context.Findings.Unexpected.Add("a message in the queue whose name belongs to no event of the run appended before");
        }
    }

    public void Blob(RecordView record)
    {
        var deadLetter = context.DeadLetters.Is(record.Text(RecordField.Container));
        if (!deadLetter && !context.Archive.Is(record.Text(RecordField.Container)))
        {
            return;
        }

        var name = record.Text(RecordField.BlobName);
        var isSupplement = deadLetter && name.EndsWith(Supplement);
        var subject = context.Names.OfBlob(isSupplement ? name[..^Supplement.Length] : name, out var partition, out var sequence);
        if (subject == Subject.Event)
        {
            // Properties that a dead letter's metadata cannot hold are beside it, and are no dead letter.
            if (isSupplement)
            {
                return;
            }

            context.Facts.Add(deadLetter ? DeadLetter(record, partition!, sequence) : Archived(record, partition!, sequence));
        }
        else if (subject == Subject.Nothing && record.Kind == RecordKind.BlobStored)
        {
            context.Findings.Unexpected.Add(
                $"a blob {(deadLetter ? "among the dead letters" : "in the archive")} whose name belongs to no event appended before"
            );
        }
    }

    /// <summary>What the laboratory did on purpose is not the run's doing.</summary>
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

        if (Cuts(record.Text(RecordField.Action)) && (ofQueue || context.MessageEntity.Is(target) || target.StartsWith("servicebus"u8)))
        {
            context.Cuts++;
        }
    }

    // Whatever was on its way when a connection or link ended may have been done and never answered, whoever it was aimed at.
    private static bool Cuts(ReadOnlySpan<byte> action) =>
        action.SequenceEqual("drop"u8) || action.SequenceEqual("detach"u8) || action.SequenceEqual("loseAnswer"u8) || action.SequenceEqual("blackHole"u8);

    private Stamp StampOf(RecordView record) => Stamp.Of(record.Map(RecordField.Properties), context.Run);

    private void Message(RecordView record, PartitionTrack partition, long sequence)
    {
        switch (record.Kind)
        {
            case RecordKind.MessageBegun:
                context.Facts.Add(Moment(FactKind.MessageBegun, record, partition, sequence));
                break;
            case RecordKind.MessageStored:
                var deduplicated = record.Flag(RecordField.Deduplicated) ? FactFlags.Deduplicated : FactFlags.None;
                context.Facts.Add(ContentFact.Of(record, FactKind.MessageStored, partition, sequence, StampOf(record), deduplicated));
                break;
            default:
                context.Facts.Add(Moment(FactKind.MessageAnswered, record, partition, sequence));
                break;
        }
    }

    private Fact Moment(FactKind kind, RecordView record, PartitionTrack partition, long sequence) =>
        new()
        {
            Kind = kind,
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            Number = context.Cuts,
            Length = record.Microseconds,
        };

    private Fact Archived(RecordView record, PartitionTrack partition, long sequence)
    {
        var overwrote = record.Flag(RecordField.Overwrote) ? FactFlags.Overwrote : FactFlags.None;
        var fact = ContentFact.Of(
            record,
            record.Kind == RecordKind.BlobBegun ? FactKind.BlobBegun : FactKind.BlobStored,
            partition,
            sequence,
            default,
            overwrote
        );
        return record.Kind == RecordKind.BlobStored ? fact with { Properties = PropertiesOf(record.Map(RecordField.Metadata)) } : fact;
    }

    private static Fact DeadLetter(RecordView record, PartitionTrack partition, long sequence)
    {
        // A dead letter without a reason is a dropped event with a copy.
        var hasReason = record.Map(RecordField.Metadata).TryFind("reason"u8, ignoreCase: true, out var reason) && !reason.IsEmpty;
        record.Map(RecordField.Metadata).TryFind("sha256"u8, ignoreCase: true, out var sha256);
        return new Fact
        {
            Kind = FactKind.DeadLettered,
            Flags = hasReason ? FactFlags.HasReason : FactFlags.None,
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            // What it says of the body must be true of the bytes that it holds.
            Body = Digest.Parse(sha256) == Digest.Parse(record.Text(RecordField.Sha256)) ? Digest.Parse(sha256) : default,
        };
    }

    /// <summary>Half of the digest of the properties that the blob keeps, as base64: names of metadata travel as HTTP headers.</summary>
    private ulong PropertiesOf(TextMap metadata)
    {
        if (!metadata.TryFind("properties"u8, ignoreCase: true, out var text) || text.IsEmpty)
        {
            return 0;
        }

        if (decoded.Length < text.Length)
        {
            decoded = new byte[text.Length];
        }

        return Base64.DecodeFromUtf8(text, decoded, out _, out var length) == OperationStatus.Done
            ? ContentFact.Half(Digest.Fold(SHA256.HashData(decoded.AsSpan(0, length))))
            : ContentFact.Half(Digest.OfNothing);
    }
}
