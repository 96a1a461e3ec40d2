using System.Buffers.Text;
using System.Globalization;
using System.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// Reads the blobs of the dead-letter store. A redrive has only the bytes and the metadata of a dead letter, so everything that it needs of these is checked.
/// </summary>
internal sealed class DeadLetterReading(JournalContext context)
{
    private const long LongestClaim = 3_600_000;

    private readonly BlobMetadata metadata = new();

    private static ReadOnlySpan<byte> Supplement => ".properties"u8;

    /// <summary>Records that a blob was stored, or its metadata changed.</summary>
    public void Stored(RecordView record)
    {
        var name = GetName(record, out var isSupplement);
        var subject = context.Names.OfBlob(name, out var partition, out var sequence);
        if (subject == Subject.Event)
        {
            var fact = isSupplement ? GetSupplement(record, partition!, sequence) : GetLetter(record, name, partition!, sequence);
            context.Facts.Add(fact);
            if (fact.Is(FactFlags.HasReason) && record.Map(RecordField.Metadata).TryFind("partitionkey"u8, ignoreCase: true, out var key))
            {
                context.Add(FactKind.DeadLetterKey, partition!, sequence, record.Tick, (long)TextHash.Of(metadata.Decode(key)));
            }
        }
        else if (subject == Subject.Nothing)
        {
            context.VerificationCounts.Unexpected.Add("a blob among the dead letters whose name belongs to no event that was appended before");
        }
    }

    /// <summary>Records that a dead letter was removed. Its event must then be at every sink, like every other event.</summary>
    public void Deleted(RecordView record)
    {
        var name = GetName(record, out var isSupplement);
        if (context.Names.OfBlob(name, out var partition, out var sequence) == Subject.Event)
        {
            context.Add(isSupplement ? FactKind.SupplementRemoved : FactKind.DeadLetterRemoved, partition!, sequence, record.Tick, 0);
        }
    }

    private static ReadOnlySpan<byte> GetName(RecordView record, out bool isSupplement)
    {
        var name = record.Text(RecordField.BlobName);
        isSupplement = name.EndsWith(Supplement);
        return isSupplement ? name[..^Supplement.Length] : name;
    }

    // The properties that a dead letter's metadata cannot hold.
    private static Fact GetSupplement(RecordView record, PartitionTrack partition, long sequence) =>
        new()
        {
            Kind = FactKind.SupplementStored,
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            Flags = BlobMetadata.IsTrue(record) ? FactFlags.None : FactFlags.FalseMetadata,
            Properties = ContentFact.Half(Digest.Parse(record.Text(RecordField.Sha256))),
        };

    private Fact GetLetter(RecordView record, ReadOnlySpan<byte> name, PartitionTrack partition, long sequence)
    {
        var fields = record.Map(RecordField.Metadata);
        var isBeside = fields.TryFind("properties"u8, ignoreCase: true, out var properties) && properties.SequenceEqual(Supplement);
        var claim = fields.TryFind("redrive"u8, ignoreCase: true, out var claimant) && !claimant.IsEmpty ? (long)TextHash.Of(claimant) : 0;
        return new Fact
        {
            Kind = FactKind.DeadLettered,
            Flags =
                (BlobMetadata.IsTrue(record) ? FactFlags.None : FactFlags.FalseMetadata)
                | GetFlags(fields)
                | (isBeside ? FactFlags.PropertiesBeside : FactFlags.None)
                | (HasTrueFields(fields, name, partition, sequence) ? FactFlags.None : FactFlags.FalseFields)
                | (claim == 0 || HasLimit(fields) ? FactFlags.None : FactFlags.FalseClaim)
                | (IsOfBytes(fields) ? FactFlags.None : FactFlags.OtherBodyKind),
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            Number = claim,
            Length = record.Microseconds,
            Body = Digest.Parse(record.Text(RecordField.Sha256)),
            Properties = isBeside ? 0 : metadata.GetProperties(record),
            ContentType = metadata.GetContentType(record),
        };
    }

    private static FactFlags GetFlags(TextMap fields)
    {
        // A dead letter without a reason is a dropped event with a copy.
        var flags = fields.TryFind("reason"u8, ignoreCase: true, out var reason) && !IsBlank(reason) ? FactFlags.HasReason : FactFlags.None;
        var named = fields.TryFind("sinks"u8, ignoreCase: true, out var sinks) ? NamedSinks.Of(sinks) : SinkSet.None;
        return flags
            | (named.HasFlag(SinkSet.Queue) ? FactFlags.NamesQueue : FactFlags.None)
            | (named.HasFlag(SinkSet.Archive) ? FactFlags.NamesArchive : FactFlags.None);
    }

    // The other fields of the event, apart from bytes, content type and properties. A redrive refuses a record that lacks one of these. It would accept a
    // wrong value.
    private bool HasTrueFields(TextMap fields, ReadOnlySpan<byte> name, PartitionTrack partition, long sequence) =>
        (!fields.TryFind("partition"u8, ignoreCase: true, out var partitionId) || partitionId.SequenceEqual(PartitionIn(name)))
        && (!fields.TryFind("sequence"u8, ignoreCase: true, out var number) || HubReading.IsNumber(number, sequence))
        && (!fields.TryFind("offset"u8, ignoreCase: true, out var offset) || IsOffsetOf(metadata.Decode(offset), partition, sequence))
        && (!fields.TryFind("enqueued"u8, ignoreCase: true, out var enqueued) || IsTime(enqueued));

    private static bool IsOfBytes(TextMap fields) => !fields.TryFind("bodykind"u8, ignoreCase: true, out var kind) || kind.SequenceEqual("Data"u8);

    private static bool IsTime(ReadOnlySpan<byte> text) =>
        DateTimeOffset.TryParseExact(Encoding.UTF8.GetString(text), "O", CultureInfo.InvariantCulture, DateTimeStyles.None, out _);

    private static ReadOnlySpan<byte> PartitionIn(ReadOnlySpan<byte> name)
    {
        var end = name.LastIndexOf((byte)'/');
        return name[(name[..end].LastIndexOf((byte)'/') + 1)..end];
    }

    private bool IsOffsetOf(ReadOnlySpan<byte> offset, PartitionTrack partition, long sequence) =>
        HubReading.IsNumber(offset, sequence) || (!offset.IsEmpty && context.Offsets.GetSequence(partition, offset) == sequence);

    private static bool HasLimit(TextMap fields) =>
        fields.TryFind("redrivelimit"u8, ignoreCase: true, out var text)
        && Utf8Parser.TryParse(text, out long limit, out var length)
        && length == text.Length
        && limit is > 0 and <= LongestClaim;

    private static bool IsBlank(ReadOnlySpan<byte> text) => text.Trim(" \t\r\n"u8).IsEmpty;
}
