using System.Buffers.Text;
using System.Text;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads every checkpoint and claim of the consumer group, with their authors and order.</summary>
internal sealed class CheckpointReading(JournalContext context)
{
    public void Store(RecordView record)
    {
        if (!IsOurs(record))
        {
            return;
        }

        context.VerificationCounts.Checkpoints++;
        var hasSequence = !record.Text(RecordField.Sequence).IsEmpty;
        var hasOffset = record.Text(RecordField.Offset) is { IsEmpty: false } offset && !Ascii.EqualsIgnoreCase(offset, StoredOffset.None);
        if (!hasSequence && !hasOffset)
        {
            // A placeholder is not a claim.
            return;
        }

        var partition = context.Partitions.Find(record.Text(RecordField.Partition));
        if (partition is null || GetPosition(record, partition, hasSequence) is not { } position)
        {
            var name = Encoding.UTF8.GetString(record.Text(RecordField.Partition));
            context.VerificationCounts.CheckpointAhead.Add($"partition {name}: a checkpoint at a position that was never appended");
        }
        else if (position > partition.LastSequence)
        {
            context.VerificationCounts.CheckpointAhead.Add(partition, position, "a checkpoint beyond the end of the partition");
        }
        else
        {
            Place(record, partition, position, hasOffset && hasSequence ? record.Text(RecordField.Offset) : default);
        }
    }

    public void Claim(RecordView record)
    {
        if (!IsOfGroup(record))
        {
            return;
        }

        // A partition can be claimed before it has its first event.
        var partition = context.Partitions.FindOrAdd(record.Text(RecordField.Partition));
        var owner = Encoding.UTF8.GetString(record.Text(RecordField.Owner));
        if (IsOurs(record))
        {
            partition.Claim(owner);
        }
        else
        {
            partition.ClaimElsewhere(owner);
        }
    }

    private bool IsOurs(RecordView record) => context.Checkpoints.Is(record.Text(RecordField.Container)) && IsOfGroup(record);

    private bool IsOfGroup(RecordView record) => context.Hub.Is(record.Text(RecordField.Hub)) && context.Group.Is(record.Text(RecordField.Group));

    private long? GetPosition(RecordView record, PartitionTrack partition, bool hasSequence)
    {
        if (!hasSequence)
        {
            return context.Offsets.GetSequence(partition, record.Text(RecordField.Offset));
        }

        var text = record.Text(RecordField.Sequence);
        return Utf8Parser.TryParse(text, out long position, out var length) && length == text.Length ? position : null;
    }

    private void Place(RecordView record, PartitionTrack partition, long position, ReadOnlySpan<byte> offset)
    {
        // Whether everything before it was complete is checked later, together with the partition's events.
        context.Add(
            FactKind.Checkpoint,
            partition,
            position,
            record.Tick,
            offset.IsEmpty ? 0 : (long)TextHash.Of(offset),
            HubReading.IsNumber(offset, position) ? FactFlags.UsualOffset : FactFlags.None
        );
        var client = record.Has(RecordField.ClientId) ? Encoding.UTF8.GetString(record.Text(RecordField.ClientId)) : null;
        if (partition.HasPosition)
        {
            Compare(partition, position, client);
        }

        partition.Store(position, client);
    }

    private void Compare(PartitionTrack partition, long position, string? client)
    {
        if (partition.Author != partition.GetAuthor(client))
        {
            context.VerificationCounts.RegressionAcross += position < partition.Position ? 1 : 0;
        }
        else if (position <= partition.Position)
        {
            context.VerificationCounts.RegressionWithin.Add(partition, position, $"a checkpoint after checkpoint {partition.Position} of the same owner");
        }
    }
}
