using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The facts of a record about a promise.</summary>
internal enum DeedKind
{
    Appended,
    Expired,
    Delivered,
    MessageBegun,
    MessageStored,
    BlobBegun,
    BlobStored,

    /// <summary>An unclaimed dead letter, with the sinks that it names.</summary>
    DeadLettered,

    /// <summary>A dead letter that a redrive has claimed, with the sinks that it names.</summary>
    Claimed,

    BlobRemoved,
    LetterRemoved,
    Checkpoint,
}

/// <summary>Something that a promise covers, which the hub or the consumer of the judged run did.</summary>
/// <param name="Kind">What was done.</param>
/// <param name="Partition">Where.</param>
/// <param name="Sequence">With which event, or up to which.</param>
/// <param name="Who">The link, the client or the sinks that are named, where that counts.</param>
internal readonly record struct Deed(DeedKind Kind, string Partition, long Sequence, string? Who = null)
{
    public bool IsBeginning => Kind is DeedKind.MessageBegun or DeedKind.BlobBegun;

    public bool IsEnd => Kind is DeedKind.MessageStored or DeedKind.BlobStored or DeedKind.DeadLettered;

    /// <summary>Whether it is about a dead letter, or takes a copy away. Every other deed with the event is before or after it.</summary>
    public bool IsTurn => Kind is DeedKind.DeadLettered or DeedKind.Claimed or DeedKind.BlobRemoved or DeedKind.LetterRemoved;

    /// <summary>Whether a dead letter names a sink.</summary>
    public bool Names(string sink) => Kind is DeedKind.DeadLettered or DeedKind.Claimed && Who!.Split(',').Contains(sink);

    public bool IsOf(Deed other) => Sequence == other.Sequence && Partition == other.Partition;

    /// <summary>The deeds of a journal in their order, beside the place of each.</summary>
    public static List<Deed> Of(GoodRun run)
    {
        var deeds = new List<Deed>(run.Journal.Count);
        var offsets = new Dictionary<(string, string), long>();
        var owned = new HashSet<string>(StringComparer.Ordinal);
        var appended = new HashSet<(string, long)>();
        foreach (var record in run.Journal)
        {
            if (Read(record, offsets, owned, appended) is { } deed)
            {
                deeds.Add(deed);
            }
        }

        return deeds;
    }

    private static Deed? Read(JournalRecord read, Dictionary<(string, string), long> offsets, HashSet<string> owned, HashSet<(string, long)> appended)
    {
        switch (read)
        {
            case EventAppended { Hub: GoodRun.Hub } record:
                offsets[(record.Partition, record.Offset)] = record.Sequence;
                appended.Add((record.Partition, record.Sequence));
                return new Deed(DeedKind.Appended, record.Partition, record.Sequence);
            case EventExpired { Hub: GoodRun.Hub } expired:
                return new Deed(DeedKind.Expired, expired.Partition, expired.Sequence);
            case EventDelivered { Hub: GoodRun.Hub, Group: GoodRun.Group } delivered:
                // Readers that claim nothing count until the first claim.
                _ = delivered.OwnerLevel is not null && owned.Add(delivered.Partition);
                if (!appended.Contains((delivered.Partition, delivered.Sequence)))
                {
                    return null;
                }

                return delivered.OwnerLevel is not null || !owned.Contains(delivered.Partition)
                    ? new Deed(DeedKind.Delivered, delivered.Partition, delivered.Sequence, delivered.Link)
                    : null;
            case MessageWritten { Entity: GoodRun.Queue, Moment: not WriteMoment.Answered } message:
                return Named(message.Moment == WriteMoment.Begun ? DeedKind.MessageBegun : DeedKind.MessageStored, message.MessageId, '-', appended);
            case BlobWritten { Container: "archive", Moment: not WriteMoment.Answered } blob:
                return Named(blob.Moment == WriteMoment.Begun ? DeedKind.BlobBegun : DeedKind.BlobStored, blob.Name, '/', appended);
            case BlobWritten { Container: "deadletters", Moment: WriteMoment.Stored } blob:
                return GetLetter(blob, appended);
            case BlobDeleted { Container: "archive" } deleted:
                return Named(DeedKind.BlobRemoved, deleted.Name, '/', appended);
            case BlobDeleted { Container: "deadletters" } deleted:
                return Named(DeedKind.LetterRemoved, deleted.Name, '/', appended);
            case CheckpointWritten { Container: "checkpoints", Hub: GoodRun.Hub, Moment: WriteMoment.Stored } checkpoint
                when string.Equals(checkpoint.Group, GoodRun.Group, StringComparison.OrdinalIgnoreCase):
                return GetPosition(checkpoint, offsets) is { } position
                    ? new Deed(DeedKind.Checkpoint, checkpoint.Partition, position, checkpoint.ClientId)
                    : null;
            default:
                return null;
        }
    }

    private static Deed? GetLetter(BlobWritten letter, HashSet<(string, long)> appended)
    {
        var kind = GetField(letter, "redrive").Length > 0 ? DeedKind.Claimed : DeedKind.DeadLettered;
        return Named(kind, letter.Name, '/', appended) is { } deed
            ? deed with
            {
                Who = GetField(letter, "reason").Trim().Length > 0 ? GetField(letter, "sinks") : string.Empty,
            }
            : null;
    }

    private static string GetField(BlobWritten letter, string name) => letter.Metadata?.GetValueOrDefault(name) ?? string.Empty;

    // A placeholder claims nothing. A record that names no event claims everything.
    private static long? GetPosition(CheckpointWritten checkpoint, Dictionary<(string, string), long> offsets) =>
        checkpoint switch
        {
            // Below every event nothing is claimed.
            { Sequence: "-1" } => -1,
            { Sequence: { } text } => long.TryParse(text, CultureInfo.InvariantCulture, out var position) && Agrees(checkpoint, position, offsets)
                ? position
                : long.MaxValue,
            { Offset: { } offset } => offsets.GetValueOrDefault((checkpoint.Partition, offset), long.MaxValue),
            _ => null,
        };

    private static bool Agrees(CheckpointWritten checkpoint, long position, Dictionary<(string Partition, string), long> offsets) =>
        checkpoint.Offset is null
        || offsets.GetValueOrDefault((checkpoint.Partition, checkpoint.Offset), position) == position
            && (
                offsets.ContainsKey((checkpoint.Partition, checkpoint.Offset))
                || !offsets.Any(known => known.Key.Partition == checkpoint.Partition && known.Value == position)
            );

    private static Deed? Named(DeedKind kind, string name, char separator, HashSet<(string, long)> appended)
    {
        var parts = name.Split(separator);
        // A write begun of no event leaves nothing over. A stored one of none does.
        return parts[0] == GoodRun.Hub && (kind is not (DeedKind.MessageBegun or DeedKind.BlobBegun) || appended.Contains((parts[1], Number(parts[2]))))
            ? new Deed(kind, parts[1], Number(parts[2]))
            : null;
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
