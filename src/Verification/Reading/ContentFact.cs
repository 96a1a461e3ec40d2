using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads an event's content from a record.</summary>
internal static class ContentFact
{
    public static Fact Of(RecordView record, FactKind kind, PartitionTrack partition, long sequence, Stamp stamp, FactFlags flags = FactFlags.None) =>
        new()
        {
            Kind = kind,
            Flags = flags | stamp.Flags,
            Partition = partition.Number,
            Sequence = sequence,
            Tick = record.Tick,
            Number = stamp.Index,
            Body = Digest.Parse(record.Text(RecordField.Sha256)),
            Length = record.Number(RecordField.Length),
            Properties = Half(Digest.Parse(record.Text(RecordField.PropertiesSha256))),
            ContentType = record.Has(RecordField.ContentType) ? TextHash.Of(record.Text(RecordField.ContentType)) : 0,
        };

    /// <summary>A difference of one bit shows in the half as well.</summary>
    public static ulong Half(Digest digest) => digest.High ^ digest.Low;
}
