using System.Globalization;
using System.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads the records of the event hub: appended events, deliveries to the consumer group, and expired events.</summary>
internal sealed class HubReading(JournalContext context, ExternalSort<LedgerFact> byIndex)
{
    private readonly byte[] offsetDigits = new byte[20];

    // Whether the journal records attaches. It then has each before the reader's first event.
    private bool recordsAttaches;

    public void Append(RecordView record)
    {
        if (!context.Hub.Is(record.Text(RecordField.Hub)))
        {
            context.Names.AddOtherHub(record.Text(RecordField.Hub));
            return;
        }

        context.VerificationCounts.Appended++;
        var stamp = Stamp.Of(record.Map(RecordField.Properties), context.Run);
        context.VerificationCounts.StampsRecorded |= !stamp.IsNone;
        var partition = context.Partitions.FindOrAdd(record.Text(RecordField.Partition));
        var sequence = record.Number(RecordField.Sequence);
        if (sequence <= partition.LastSequence)
        {
            context.VerificationCounts.Reasons.Add($"sequence numbers of partition {partition.Name} start again");
            return;
        }

        partition.LastSequence = sequence;
        context.Offsets.Note(partition, GetOffset(record), sequence);
        context.Facts.Add(ContentFact.Of(record, FactKind.Appended, partition, sequence, stamp));
        if (!IsNumber(GetOffset(record), sequence))
        {
            context.Add(FactKind.OddOffset, partition, sequence, record.Tick, (long)TextHash.Of(record.Text(RecordField.Offset)));
        }

        if (stamp is { IsOurs: true, Index: not Stamp.NoIndex })
        {
            byIndex.Add(
                new LedgerFact
                {
                    Index = stamp.Index,
                    Partition = partition.Number,
                    Sequence = sequence,
                }
            );
        }
    }

    public void Attach(RecordView record)
    {
        if (IsOurs(record))
        {
            recordsAttaches = true;
            // A partition can be read before it has its first event.
            var reader = record.Has(RecordField.ClientId) ? Encoding.UTF8.GetString(record.Text(RecordField.ClientId)) : null;
            context.Partitions.FindOrAdd(record.Text(RecordField.Partition)).Attach(record.Text(RecordField.Link), record.Number(RecordField.Sequence), reader);
        }
    }

    public void Deliver(RecordView record)
    {
        if (!IsOurs(record))
        {
            return;
        }

        var first = record.Number(RecordField.Sequence);
        var count = record.Has(RecordField.Count) ? record.Number(RecordField.Count) : 1;
        context.VerificationCounts.Delivered += count;
        for (var sequence = first; sequence < first + count && context.Partitions.Find(record.Text(RecordField.Partition)) is { } partition; sequence++)
        {
            var handing = partition.Deliver(record.Text(RecordField.Link), sequence, record.Tick, record.Has(RecordField.OwnerLevel));
            if (handing.Incarnation is { } incarnation)
            {
                context.Add(FactKind.Delivered, partition, sequence, record.Tick, incarnation);
            }
            else if (handing.Contradicts)
            {
                context.VerificationCounts.Accounting.Add(partition, sequence, "delivered to a reader that had received it or began after it");
            }
        }
    }

    // Empty where it is the sequence number.
    private ReadOnlySpan<byte> GetOffset(RecordView record)
    {
        if (record.Has(RecordField.Offset))
        {
            return record.Text(RecordField.Offset);
        }

        record.Number(RecordField.Sequence).TryFormat(offsetDigits, out var length, provider: CultureInfo.InvariantCulture);
        return offsetDigits.AsSpan(0, length);
    }

    /// <summary>Adds the results that need the whole journal.</summary>
    public void Close()
    {
        foreach (var partition in context.Partitions.All)
        {
            if (recordsAttaches && partition.FirstUnrecorded is { } first)
            {
                context.VerificationCounts.Accounting.Add(partition, first, "delivered to a reader whose attach is not recorded");
            }
        }
    }

    public void Expire(RecordView record)
    {
        if (context.Hub.Is(record.Text(RecordField.Hub)))
        {
            // An emulator that starts may record it before any event of the partition.
            context.Add(
                FactKind.Expired,
                context.Partitions.FindOrAdd(record.Text(RecordField.Partition)),
                record.Number(RecordField.Sequence),
                record.Tick,
                0
            );
        }
    }

    /// <summary>Records a laboratory fault that delivers an event twice. It is recorded before its effect.</summary>
    public void Fault(RecordView record)
    {
        if (
            record.Text(RecordField.Point).SequenceEqual("eventDeliver"u8)
            && record.Text(RecordField.Action).SequenceEqual("duplicate"u8)
            && context.Hub.TryStrip(record.Text(RecordField.Target), out var place)
            && context.Group.TryStrip(place, out var rest)
            && rest.IndexOf((byte)'/') is > 0 and var end
            && context.Partitions.Find(rest[..end]) is { } partition
            && context.Offsets.GetSequence(partition, rest[(end + 1)..]) is { } sequence
        )
        {
            partition.Inject(sequence);
        }
    }

    /// <summary>Records that a partition was read back from a namespace, from this event on.</summary>
    public void ReadBack(RecordView record)
    {
        if (context.Hub.Is(record.Text(RecordField.Hub)))
        {
            context.VerificationCounts.IsReadBack = true;
            if (record.Number(RecordField.Sequence) is > 0 and var first)
            {
                context.VerificationCounts.NotRetained.Add(
                    $"partition {Encoding.UTF8.GetString(record.Text(RecordField.Partition))}: retention removed the events before {first}"
                );
            }
        }
    }

    private bool IsOurs(RecordView record) => context.Hub.Is(record.Text(RecordField.Hub)) && context.Group.Is(record.Text(RecordField.Group));

    /// <summary>Whether a text is the decimal form of a number.</summary>
    public static bool IsNumber(ReadOnlySpan<byte> text, long value)
    {
        Span<byte> digits = stackalloc byte[20];
        value.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
        return text.SequenceEqual(digits[..length]);
    }
}
