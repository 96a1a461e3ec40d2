using System.Globalization;
using System.Text;

namespace EventHubThroughput.Journal;

/// <summary>Creates independent records from views. Texts that repeat from record to record are stored once.</summary>
internal sealed class RecordDecoder
{
    // The texts of the record before, per field: partitions, containers and links repeat for millions of records.
    private readonly (byte[] Utf8, string Text)[] last = new (byte[], string)[(int)RecordField.Stood + 1];

    public JournalRecord Decode(RecordView view) => Build(view) with { Tick = view.Tick, Microseconds = view.Microseconds };

    private JournalRecord Build(RecordView view) =>
        view.Kind switch
        {
            RecordKind.EventAppended => new EventAppended(
                Same(view, RecordField.Hub),
                Same(view, RecordField.Partition),
                view.Number(RecordField.Sequence),
                Text(view, RecordField.Offset) ?? view.Number(RecordField.Sequence).ToString(CultureInfo.InvariantCulture),
                Hash(view, RecordField.Sha256)!,
                view.Number(RecordField.Length),
                Repeated(view, RecordField.ContentType),
                Hash(view, RecordField.PropertiesSha256),
                Map(view, RecordField.Properties)
            ),
            RecordKind.ReaderAttached => new ReaderAttached(
                Same(view, RecordField.Hub),
                Same(view, RecordField.Group),
                Same(view, RecordField.Partition),
                view.Number(RecordField.Sequence),
                Text(view, RecordField.Link)!,
                Number(view, RecordField.OwnerLevel),
                Repeated(view, RecordField.ClientId)
            ),
            RecordKind.PartitionReadBack => new PartitionReadBack(
                Same(view, RecordField.Hub),
                Same(view, RecordField.Partition),
                view.Number(RecordField.Sequence)
            ),
            RecordKind.EventDelivered => new EventDelivered(
                Same(view, RecordField.Hub),
                Same(view, RecordField.Group),
                Same(view, RecordField.Partition),
                view.Number(RecordField.Sequence),
                Same(view, RecordField.Link),
                Number(view, RecordField.OwnerLevel)
            )
            {
                Count = (int)(Number(view, RecordField.Count) ?? 1),
            },
            RecordKind.EventExpired => new EventExpired(Same(view, RecordField.Hub), Same(view, RecordField.Partition), view.Number(RecordField.Sequence)),
            RecordKind.OwnershipWritten => new OwnershipWritten(
                Same(view, RecordField.Container),
                Same(view, RecordField.Hub),
                Same(view, RecordField.Group),
                Same(view, RecordField.Partition),
                Same(view, RecordField.Owner),
                Text(view, RecordField.PreviousETag),
                Text(view, RecordField.ETag)
            ),
            RecordKind.MessageDelivered => new MessageDelivered(
                Same(view, RecordField.Entity),
                Text(view, RecordField.MessageId)!,
                view.Number(RecordField.Sequence),
                Same(view, RecordField.Link)
            ),
            RecordKind.MessageSettled => new MessageSettled(
                Same(view, RecordField.Entity),
                Text(view, RecordField.MessageId)!,
                view.Number(RecordField.Sequence),
                Same(view, RecordField.Outcome),
                Repeated(view, RecordField.Link)
            ),
            RecordKind.RulesNotEvaluated => new RulesNotEvaluated(
                Same(view, RecordField.Entity),
                Text(view, RecordField.MessageId)!,
                Same(view, RecordField.Rule)
            )
            {
                Count = (int)(Number(view, RecordField.Count) ?? 1),
            },
            RecordKind.ConnectionCut => new ConnectionCut(Same(view, RecordField.Connection)),
            RecordKind.FaultInjected => new FaultInjected(
                Same(view, RecordField.Fault),
                Same(view, RecordField.Point),
                Same(view, RecordField.Action),
                Text(view, RecordField.Target)!
            ),
            RecordKind.EmulatorStarted => new EmulatorStarted(),
            RecordKind.StateFound => new StateFound(),
            RecordKind.EmulatorPaused => new EmulatorPaused(view.Number(RecordField.Stood)),
            RecordKind.BlobDeleted => new BlobDeleted(Same(view, RecordField.Container), Text(view, RecordField.BlobName)!, Text(view, RecordField.ETag)),
            RecordKind.MessageBegun or RecordKind.MessageStored or RecordKind.MessageAnswered => Message(view),
            RecordKind.BlobBegun or RecordKind.BlobStored or RecordKind.BlobAnswered => Blob(view),
            _ => Checkpoint(view),
        };

    private MessageWritten Message(RecordView view) =>
        new(
            view.Kind - RecordKind.MessageBegun + WriteMoment.Begun,
            Same(view, RecordField.Entity),
            Text(view, RecordField.MessageId)!,
            Hash(view, RecordField.Sha256),
            view.Number(RecordField.Length),
            Repeated(view, RecordField.ContentType),
            Hash(view, RecordField.PropertiesSha256),
            Map(view, RecordField.Properties),
            view.Flag(RecordField.Deduplicated)
        )
        {
            Arrival = Number(view, RecordField.Arrival),
            Connection = Repeated(view, RecordField.Connection),
        };

    private BlobWritten Blob(RecordView view) =>
        new(
            view.Kind - RecordKind.BlobBegun + WriteMoment.Begun,
            Same(view, RecordField.Container),
            Text(view, RecordField.BlobName)!,
            Hash(view, RecordField.Sha256),
            view.Number(RecordField.Length),
            Repeated(view, RecordField.ContentType),
            Map(view, RecordField.Metadata),
            Text(view, RecordField.ETag),
            view.Flag(RecordField.Overwrote)
        )
        {
            PropertiesSha256 = Hash(view, RecordField.PropertiesSha256),
            Restated = view.Flag(RecordField.Restated),
        };

    private CheckpointWritten Checkpoint(RecordView view) =>
        new(
            view.Kind - RecordKind.CheckpointBegun + WriteMoment.Begun,
            Same(view, RecordField.Container),
            Same(view, RecordField.Hub),
            Same(view, RecordField.Group),
            Same(view, RecordField.Partition),
            Text(view, RecordField.Offset),
            Text(view, RecordField.Sequence),
            Repeated(view, RecordField.ClientId),
            Text(view, RecordField.PreviousETag),
            Text(view, RecordField.ETag)
        );

    private static long? Number(RecordView view, RecordField field) => view.Has(field) ? view.Number(field) : null;

    private static string? Text(RecordView view, RecordField field) => view.Has(field) ? Encoding.UTF8.GetString(view.Text(field)) : null;

    private static string? Hash(RecordView view, RecordField field) => view.Has(field) ? HashText.OfRecord(view.Text(field)) : null;

    private static Dictionary<string, string>? Map(RecordView view, RecordField field) => view.Has(field) ? view.Map(field).ToDictionary() : null;

    private string? Repeated(RecordView view, RecordField field) => view.Has(field) ? Same(view, field) : null;

    private string Same(RecordView view, RecordField field)
    {
        ref var known = ref last[(int)field];
        var text = view.Text(field);
        if (known.Text is null || !text.SequenceEqual(known.Utf8))
        {
            known = (text.ToArray(), Encoding.UTF8.GetString(text));
        }

        return known.Text;
    }
}
