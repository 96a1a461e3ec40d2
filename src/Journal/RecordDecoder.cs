using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Reads the JSON object of one record. Strict: a field or kind that it does not know means a newer writer, and guessing would
/// make a verdict out of half of what happened. Texts that repeat from record to record are kept once.
/// </summary>
internal sealed class RecordDecoder
{
    private readonly RecordFields fields = new();

    /// <exception cref="JournalFormatException">Not a record; the message says why without the content.</exception>
    public JournalRecord Decode(ReadOnlySpan<byte> json)
    {
        try
        {
            fields.Read(json);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or FormatException)
        {
            throw new JournalFormatException("not readable", exception);
        }

        return Build(fields) with { Tick = fields.Tick ?? throw Missing("t"), Microseconds = fields.Microseconds };
    }

    private static JournalRecord Build(RecordFields fields) => fields.Kind switch
    {
        "eh.append" => new EventAppended(
            Need(fields.Hub, "hub"), Need(fields.Partition, "partition"), Number(fields), Need(fields.Offset, "offset"),
            Need(fields.Sha256, "sha256"), Length(fields), fields.ContentType, fields.PropertiesSha256, fields.Properties),
        "eh.deliver" => new EventDelivered(
            Need(fields.Hub, "hub"), Need(fields.Group, "group"), Need(fields.Partition, "partition"), Number(fields),
            Need(fields.Link, "link")),
        "own.write" => new OwnershipWritten(
            Need(fields.Container, "container"), Need(fields.Hub, "hub"), Need(fields.Group, "group"),
            Need(fields.Partition, "partition"), Need(fields.Owner, "owner"), fields.PreviousETag, fields.ETag),
        "sb.begin" => Message(fields, WriteMoment.Begun),
        "sb.accept" => Message(fields, WriteMoment.Stored),
        "sb.answered" => Message(fields, WriteMoment.Answered),
        "sb.deliver" => new MessageDelivered(
            Need(fields.Entity, "entity"), Need(fields.MessageId, "messageId"), Number(fields), Need(fields.Link, "link")),
        "sb.settle" => new MessageSettled(
            Need(fields.Entity, "entity"), Need(fields.MessageId, "messageId"), Number(fields), Need(fields.Outcome, "outcome"), fields.Link),
        "fault" => new FaultInjected(
            Need(fields.Fault, "fault"), Need(fields.Point, "point"), Need(fields.Action, "action"), Need(fields.Target, "target")),
        "blob.begin" => Blob(fields, WriteMoment.Begun),
        "blob.stored" => Blob(fields, WriteMoment.Stored),
        "blob.answered" => Blob(fields, WriteMoment.Answered),
        "ck.begin" => Checkpoint(fields, WriteMoment.Begun),
        "ck.write" => Checkpoint(fields, WriteMoment.Stored),
        "ck.answered" => Checkpoint(fields, WriteMoment.Answered),
        null => throw Missing("k"),
        _ => throw new JournalFormatException("unknown kind of record"),
    };

    private static MessageWritten Message(RecordFields fields, WriteMoment moment) => new(
        moment, Need(fields.Entity, "entity"), Need(fields.MessageId, "messageId"), fields.Sha256,
        moment == WriteMoment.Answered ? fields.Length ?? 0 : Length(fields), fields.ContentType, fields.PropertiesSha256, fields.Properties, fields.Deduplicated);

    private static BlobWritten Blob(RecordFields fields, WriteMoment moment) => new(
        moment, Need(fields.Container, "container"), Need(fields.BlobName, "name"), fields.Sha256, Length(fields),
        fields.ContentType, fields.Metadata, fields.ETag, fields.Overwrote);

    private static CheckpointWritten Checkpoint(RecordFields fields, WriteMoment moment) => new(
        moment, Need(fields.Container, "container"), Need(fields.Hub, "hub"), Need(fields.Group, "group"),
        Need(fields.Partition, "partition"), fields.Offset, fields.SequenceText, fields.ClientId, fields.PreviousETag, fields.ETag);

    private static string Need(string? value, string field) => value ?? throw Missing(field);

    private static long Number(RecordFields fields) => fields.Sequence ?? throw Missing("sequence");

    private static long Length(RecordFields fields) => fields.Length ?? throw Missing("length");

    private static JournalFormatException Missing(string field) => new($"field '{field}' missing");
}
