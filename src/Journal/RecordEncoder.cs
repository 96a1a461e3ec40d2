using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>Writes a record as one JSON object. What is null or false is left out.</summary>
internal static class RecordEncoder
{
    public static void Encode(Utf8JsonWriter json, JournalRecord record, long tick)
    {
        json.WriteStartObject();
        json.WriteNumber(JournalFormat.Tick, tick);
        switch (record)
        {
            case EventAppended appended: Write(json, appended); break;
            case EventDelivered delivered: Write(json, delivered); break;
            case MessageWritten message: Write(json, message); break;
            case BlobWritten blob: Write(json, blob); break;
            case CheckpointWritten checkpoint: Write(json, checkpoint); break;
            case OwnershipWritten ownership: Write(json, ownership); break;
            default: throw new ArgumentException($"no journal form for {record.GetType().Name}", nameof(record));
        }

        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, EventAppended record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.EventAppended);
        json.WriteString(JournalFormat.Hub, record.Hub);
        json.WriteString(JournalFormat.Partition, record.Partition);
        json.WriteNumber(JournalFormat.Sequence, record.Sequence);
        json.WriteString(JournalFormat.Offset, record.Offset);
        WriteContent(json, record.Sha256, record.Length, record.ContentType);
        WriteText(json, JournalFormat.PropertiesSha256, record.PropertiesSha256);
        WriteMap(json, JournalFormat.Properties, record.Properties);
    }

    private static void Write(Utf8JsonWriter json, EventDelivered record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.EventDelivered);
        json.WriteString(JournalFormat.Hub, record.Hub);
        json.WriteString(JournalFormat.Group, record.Group);
        json.WriteString(JournalFormat.Partition, record.Partition);
        json.WriteNumber(JournalFormat.Sequence, record.Sequence);
        json.WriteString(JournalFormat.Link, record.Link);
    }

    private static void Write(Utf8JsonWriter json, MessageWritten record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.MessageWritten[(int)record.Moment]);
        json.WriteString(JournalFormat.Entity, record.Entity);
        json.WriteString(JournalFormat.MessageId, record.MessageId);
        WriteContent(json, record.Sha256, record.Length, record.ContentType);
        WriteText(json, JournalFormat.PropertiesSha256, record.PropertiesSha256);
        WriteMap(json, JournalFormat.Properties, record.Properties);
        WriteFlag(json, JournalFormat.Deduplicated, record.Deduplicated);
    }

    private static void Write(Utf8JsonWriter json, BlobWritten record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.BlobWritten[(int)record.Moment]);
        json.WriteString(JournalFormat.Container, record.Container);
        json.WriteString(JournalFormat.BlobName, record.Name);
        WriteContent(json, record.Sha256, record.Length, record.ContentType);
        WriteMap(json, JournalFormat.Metadata, record.Metadata);
        WriteText(json, JournalFormat.ETag, record.ETag);
        WriteFlag(json, JournalFormat.Overwrote, record.Overwrote);
    }

    private static void Write(Utf8JsonWriter json, CheckpointWritten record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.CheckpointWritten[(int)record.Moment]);
        WritePlace(json, record.Container, record.Hub, record.Group, record.Partition);
        WriteText(json, JournalFormat.Offset, record.Offset);
        // Text, because what was stored may be no number at all.
        WriteText(json, JournalFormat.Sequence, record.Sequence);
        WriteText(json, JournalFormat.ClientId, record.ClientId);
        WriteText(json, JournalFormat.PreviousETag, record.PreviousETag);
        WriteText(json, JournalFormat.ETag, record.ETag);
    }

    private static void Write(Utf8JsonWriter json, OwnershipWritten record)
    {
        json.WriteString(JournalFormat.Kind, JournalFormat.OwnershipWritten);
        WritePlace(json, record.Container, record.Hub, record.Group, record.Partition);
        json.WriteString(JournalFormat.Owner, record.Owner);
        WriteText(json, JournalFormat.PreviousETag, record.PreviousETag);
        WriteText(json, JournalFormat.ETag, record.ETag);
    }

    private static void WritePlace(Utf8JsonWriter json, string container, string hub, string group, string partition)
    {
        json.WriteString(JournalFormat.Container, container);
        json.WriteString(JournalFormat.Hub, hub);
        json.WriteString(JournalFormat.Group, group);
        json.WriteString(JournalFormat.Partition, partition);
    }

    private static void WriteContent(Utf8JsonWriter json, string? sha256, long length, string? contentType)
    {
        WriteText(json, JournalFormat.Sha256, sha256);
        json.WriteNumber(JournalFormat.Length, length);
        WriteText(json, JournalFormat.ContentType, contentType);
    }

    private static void WriteText(Utf8JsonWriter json, JsonEncodedText name, string? value)
    {
        if (value is not null)
        {
            json.WriteString(name, value);
        }
    }

    private static void WriteFlag(Utf8JsonWriter json, JsonEncodedText name, bool value)
    {
        if (value)
        {
            json.WriteBoolean(name, value);
        }
    }

    private static void WriteMap(Utf8JsonWriter json, JsonEncodedText name, IReadOnlyDictionary<string, string>? map)
    {
        if (map is null)
        {
            return;
        }

        json.WriteStartObject(name);
        foreach (var (key, value) in map)
        {
            json.WriteString(key, value);
        }

        json.WriteEndObject();
    }
}
