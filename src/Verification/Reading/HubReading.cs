using System.Globalization;
using System.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads what the event hub did: took events in, handed them to the consumer group, let them go.</summary>
internal sealed class HubReading(JournalContext context, ExternalSort<LedgerFact> byIndex)
{
    public void Append(RecordView record)
    {
        if (!context.Hub.Is(record.Text(RecordField.Hub)))
        {
            context.Names.AddOtherHub(record.Text(RecordField.Hub));
            return;
        }

        context.Findings.Appended++;
        var stamp = Stamp.Of(record.Map(RecordField.Properties), context.Run);
        context.Findings.StampsRecorded |= !stamp.IsNone;
        var partition = context.Partitions.FindOrAdd(record.Text(RecordField.Partition));
        var sequence = record.Number(RecordField.Sequence);
        if (sequence <= partition.LastSequence)
        {
            context.Findings.Reasons.Add($"sequence numbers of partition {partition.Name} start again");
            return;
        }

        partition.LastSequence = sequence;
        context.Offsets.Note(partition, record.Text(RecordField.Offset), sequence);
        context.Facts.Add(ContentFact.Of(record, FactKind.Appended, partition, sequence, stamp));
        if (!IsNumber(record.Text(RecordField.Offset), sequence))
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

    public void Deliver(RecordView record)
    {
        if (!context.Hub.Is(record.Text(RecordField.Hub)) || !context.Group.Is(record.Text(RecordField.Group)))
        {
            return;
        }

        context.Findings.Delivered++;
        if (context.Partitions.Find(record.Text(RecordField.Partition)) is { } partition)
        {
            var sequence = record.Number(RecordField.Sequence);
            if (partition.Deliver(record.Text(RecordField.Link), sequence, record.Tick, record.Has(RecordField.OwnerLevel)) is { } incarnation)
            {
                context.Add(FactKind.Delivered, partition, sequence, record.Tick, incarnation);
            }
        }
    }

    public void Expire(RecordView record)
    {
        if (context.Hub.Is(record.Text(RecordField.Hub)) && context.Partitions.Find(record.Text(RecordField.Partition)) is { } partition)
        {
            context.Add(FactKind.Expired, partition, record.Number(RecordField.Sequence), record.Tick, 0);
        }
    }

    /// <summary>Whether a text is how a number is written.</summary>
    public static bool IsNumber(ReadOnlySpan<byte> text, long value)
    {
        Span<byte> digits = stackalloc byte[20];
        value.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
        return text.SequenceEqual(digits[..length]);
    }
}
