using System.Text;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>Finds the kind or field of a name in the journal. Few names have the same length, so the length is nearly sufficient.</summary>
internal static class RecordNames
{
    private const int Longest = 16;

    private static readonly (byte[] Name, RecordField Field)[][] Fields = ByLength([
        ("t", RecordField.Tick),
        ("m", RecordField.Microseconds),
        (JournalFormat.Kind.Value, RecordField.Kind),
        (JournalFormat.Hub.Value, RecordField.Hub),
        (JournalFormat.Group.Value, RecordField.Group),
        (JournalFormat.Partition.Value, RecordField.Partition),
        (JournalFormat.Sequence.Value, RecordField.Sequence),
        (JournalFormat.Count.Value, RecordField.Count),
        (JournalFormat.Offset.Value, RecordField.Offset),
        (JournalFormat.Link.Value, RecordField.Link),
        (JournalFormat.OwnerLevel.Value, RecordField.OwnerLevel),
        (JournalFormat.Entity.Value, RecordField.Entity),
        (JournalFormat.MessageId.Value, RecordField.MessageId),
        (JournalFormat.Arrival.Value, RecordField.Arrival),
        (JournalFormat.Container.Value, RecordField.Container),
        (JournalFormat.BlobName.Value, RecordField.BlobName),
        (JournalFormat.Sha256.Value, RecordField.Sha256),
        (JournalFormat.Length.Value, RecordField.Length),
        (JournalFormat.ContentType.Value, RecordField.ContentType),
        (JournalFormat.PropertiesSha256.Value, RecordField.PropertiesSha256),
        (JournalFormat.Properties.Value, RecordField.Properties),
        (JournalFormat.Metadata.Value, RecordField.Metadata),
        (JournalFormat.Restated.Value, RecordField.Restated),
        (JournalFormat.Deduplicated.Value, RecordField.Deduplicated),
        (JournalFormat.Overwrote.Value, RecordField.Overwrote),
        (JournalFormat.ETag.Value, RecordField.ETag),
        (JournalFormat.PreviousETag.Value, RecordField.PreviousETag),
        (JournalFormat.ClientId.Value, RecordField.ClientId),
        (JournalFormat.Owner.Value, RecordField.Owner),
        (JournalFormat.Outcome.Value, RecordField.Outcome),
        (JournalFormat.Rule.Value, RecordField.Rule),
        (JournalFormat.Fault.Value, RecordField.Fault),
        (JournalFormat.Point.Value, RecordField.Point),
        (JournalFormat.Action.Value, RecordField.Action),
        (JournalFormat.Target.Value, RecordField.Target),
        (JournalFormat.Connection.Value, RecordField.Connection),
        (JournalFormat.Stood.Value, RecordField.Stood),
    ]);

    private static readonly (byte[] Name, RecordKind Kind)[][] Kinds = ByLength([
        (JournalFormat.EventAppended.Value, RecordKind.EventAppended),
        (JournalFormat.ReaderAttached.Value, RecordKind.ReaderAttached),
        (JournalFormat.EventDelivered.Value, RecordKind.EventDelivered),
        (JournalFormat.PartitionReadBack.Value, RecordKind.PartitionReadBack),
        (JournalFormat.EventExpired.Value, RecordKind.EventExpired),
        (JournalFormat.MessageDelivered.Value, RecordKind.MessageDelivered),
        (JournalFormat.MessageSettled.Value, RecordKind.MessageSettled),
        (JournalFormat.ConnectionCut.Value, RecordKind.ConnectionCut),
        (JournalFormat.RulesNotEvaluated.Value, RecordKind.RulesNotEvaluated),
        (JournalFormat.OwnershipWritten.Value, RecordKind.OwnershipWritten),
        (JournalFormat.FaultInjected.Value, RecordKind.FaultInjected),
        (JournalFormat.EmulatorStarted.Value, RecordKind.EmulatorStarted),
        (JournalFormat.StateFound.Value, RecordKind.StateFound),
        (JournalFormat.EmulatorPaused.Value, RecordKind.EmulatorPaused),
        (JournalFormat.BlobDeleted.Value, RecordKind.BlobDeleted),
        .. Moments(JournalFormat.MessageWritten, RecordKind.MessageBegun),
        .. Moments(JournalFormat.BlobWritten, RecordKind.BlobBegun),
        .. Moments(JournalFormat.CheckpointWritten, RecordKind.CheckpointBegun),
    ]);

    public static RecordField? GetField(ReadOnlySpan<byte> name) => Find(Fields, name);

    public static RecordKind? GetKind(ReadOnlySpan<byte> name) => Find(Kinds, name);

    private static T? Find<T>((byte[] Name, T Value)[][] known, ReadOnlySpan<byte> name)
        where T : struct
    {
        if (name.Length <= Longest)
        {
            foreach (var (text, value) in known[name.Length])
            {
                if (name.SequenceEqual(text))
                {
                    return value;
                }
            }
        }

        return null;
    }

    private static IEnumerable<(string Name, RecordKind Kind)> Moments(JsonEncodedText[] names, RecordKind first) =>
        names.Select((name, moment) => (name.Value, first + moment));

    private static (byte[] Name, T Value)[][] ByLength<T>(IReadOnlyList<(string Name, T Value)> all) =>
        [
            .. Enumerable
                .Range(0, Longest + 1)
                .Select(length =>
                    all.Where(entry => entry.Name.Length == length).Select(static entry => (Encoding.ASCII.GetBytes(entry.Name), entry.Value)).ToArray()
                ),
        ];
}
