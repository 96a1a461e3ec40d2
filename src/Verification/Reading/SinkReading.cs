using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;

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
        context.Findings.BeginningsRecorded |= record.Kind == RecordKind.MessageBegun;
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

    /// <summary>An event whose dead letter is removed has to be where every other event is.</summary>
    public void Deleted(RecordView record)
    {
        if (
            context.DeadLetters.Is(record.Text(RecordField.Container))
            && context.Names.OfBlob(record.Text(RecordField.BlobName), out var partition, out var sequence) == Subject.Event
        )
        {
            context.Add(FactKind.DeadLetterRemoved, partition!, sequence, record.Tick, 0);
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
        return record.Kind == RecordKind.BlobStored ? fact with { Flags = fact.Flags | MetadataOf(record), Properties = PropertiesOf(record) } : fact;
    }

    /// <summary>Whoever finds the blob in place compares with its metadata alone, so what that says of the body must be true.</summary>
    private static FactFlags MetadataOf(RecordView record)
    {
        var metadata = record.Map(RecordField.Metadata);
        var isTrue =
            record.Flag(RecordField.Restated)
            || (
                (!metadata.TryFind("sha256"u8, ignoreCase: true, out var sha256) || Digest.Parse(sha256) == Digest.Parse(record.Text(RecordField.Sha256)))
                && (!metadata.TryFind("length"u8, ignoreCase: true, out var length) || HubReading.IsNumber(length, record.Number(RecordField.Length)))
            );
        return isTrue ? FactFlags.None : FactFlags.FalseMetadata;
    }

    private Fact DeadLetter(RecordView record, PartitionTrack partition, long sequence)
    {
        // A dead letter without a reason is a dropped event with a copy.
        var hasReason = record.Map(RecordField.Metadata).TryFind("reason"u8, ignoreCase: true, out var reason) && !reason.IsEmpty;
        var sha256 = HashInMetadata(record);
        var isBeside = record.Map(RecordField.Metadata).TryFind("properties"u8, ignoreCase: true, out var properties) && properties.SequenceEqual(Supplement);
        return new Fact
        {
            Kind = FactKind.DeadLettered,
            Flags = MetadataOf(record) | (hasReason ? FactFlags.HasReason : FactFlags.None) | (isBeside ? FactFlags.PropertiesBeside : FactFlags.None),
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            Number = record.Map(RecordField.Metadata).TryFind("redrive"u8, ignoreCase: true, out var claim) && !claim.IsEmpty ? (long)TextHash.Of(claim) : 0,
            // What it says of the body must be true of the bytes that it holds.
            Body = Digest.Parse(sha256) == Digest.Parse(record.Text(RecordField.Sha256)) ? Digest.Parse(sha256) : default,
            Properties = isBeside ? 0 : PropertiesOf(record),
            ContentType = ContentTypeOf(record),
        };
    }

    private static ReadOnlySpan<byte> HashInMetadata(RecordView record) =>
        record.Flag(RecordField.Restated) ? record.Text(RecordField.Sha256)
        : record.Map(RecordField.Metadata).TryFind("sha256"u8, ignoreCase: true, out var sha256) ? sha256
        : default;

    /// <summary>A dead letter's content type is the blob's, unless no header could bring it over; then it is in the metadata, as base64.</summary>
    private ulong ContentTypeOf(RecordView record)
    {
        var bytes = record.Map(RecordField.Metadata).TryFind("contenttype"u8, ignoreCase: true, out var text)
            ? Decode(text)
            : record.Text(RecordField.ContentType);
        return bytes.IsEmpty ? 0 : TextHash.Of(bytes);
    }

    /// <summary>Half of the digest of the properties that the blob keeps, as base64: names of metadata travel as HTTP headers.</summary>
    private ulong PropertiesOf(RecordView record) =>
        record.Has(RecordField.PropertiesSha256) ? ContentFact.Half(Digest.Parse(record.Text(RecordField.PropertiesSha256)))
        : !record.Map(RecordField.Metadata).TryFind("properties"u8, ignoreCase: true, out var text) || text.IsEmpty ? 0
        : Decode(text) is { IsEmpty: false } properties ? ContentFact.Half(Digest.Fold(SHA256.HashData(properties)))
        : ContentFact.Half(Digest.OfNothing);

    /// <summary>The bytes of a base64 text, valid until the next call; none when it is no such text.</summary>
    private ReadOnlySpan<byte> Decode(ReadOnlySpan<byte> text)
    {
        if (decoded.Length < text.Length)
        {
            decoded = new byte[text.Length];
        }

        return Base64.DecodeFromUtf8(text, decoded, out _, out var length) == OperationStatus.Done ? decoded.AsSpan(0, length) : default;
    }
}
