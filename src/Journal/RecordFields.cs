using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>All fields that a record may have, filled from one JSON object; used again for the next record.</summary>
internal sealed class RecordFields
{
    // The texts of the record before, per field: partitions, containers, links and the like repeat for millions of records.
    private string? lastHub;
    private string? lastGroup;
    private string? lastPartition;
    private string? lastLink;
    private string? lastEntity;
    private string? lastContainer;
    private string? lastContentType;
    private string? lastClientId;
    private string? lastKind;
    private string? lastOutcome;

    public long? Tick { get; private set; }

    /// <summary>0 in journals of version 1.</summary>
    public long Microseconds { get; private set; }

    public string? Kind { get; private set; }

    public string? Hub { get; private set; }

    public string? Group { get; private set; }

    public string? Partition { get; private set; }

    public long? Sequence { get; private set; }

    public string? SequenceText { get; private set; }

    public string? Offset { get; private set; }

    public string? Link { get; private set; }

    public string? Entity { get; private set; }

    public string? MessageId { get; private set; }

    public string? Container { get; private set; }

    public string? BlobName { get; private set; }

    public string? Sha256 { get; private set; }

    public long? Length { get; private set; }

    public string? ContentType { get; private set; }

    public string? PropertiesSha256 { get; private set; }

    public IReadOnlyDictionary<string, string>? Properties { get; private set; }

    public IReadOnlyDictionary<string, string>? Metadata { get; private set; }

    public bool Deduplicated { get; private set; }

    public bool Overwrote { get; private set; }

    public string? ETag { get; private set; }

    public string? PreviousETag { get; private set; }

    public string? ClientId { get; private set; }

    public string? Owner { get; private set; }

    public string? Outcome { get; private set; }

    public string? Fault { get; private set; }

    public string? Point { get; private set; }

    public string? Action { get; private set; }

    public string? Target { get; private set; }

    public void Read(ReadOnlySpan<byte> line)
    {
        Clear();
        var json = new Utf8JsonReader(line);
        if (!json.Read() || json.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException();
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            ReadField(ref json);
        }

        // The reader itself refuses anything after the object.
        json.Read();
    }

    private void ReadField(ref Utf8JsonReader json)
    {
        if (Is(ref json, "t"u8)) { Tick = json.GetInt64(); }
        else if (Is(ref json, "m"u8)) { Microseconds = json.GetInt64(); }
        else if (Is(ref json, "k"u8)) { Kind = Same(ref json, ref lastKind); }
        else if (Is(ref json, "hub"u8)) { Hub = Same(ref json, ref lastHub); }
        else if (Is(ref json, "group"u8)) { Group = Same(ref json, ref lastGroup); }
        else if (Is(ref json, "partition"u8)) { Partition = Same(ref json, ref lastPartition); }
        else if (Is(ref json, "sequence"u8)) { ReadSequence(ref json); }
        else if (Is(ref json, "offset"u8)) { Offset = json.GetString(); }
        else if (Is(ref json, "link"u8)) { Link = Same(ref json, ref lastLink); }
        else if (Is(ref json, "entity"u8)) { Entity = Same(ref json, ref lastEntity); }
        else if (Is(ref json, "messageId"u8)) { MessageId = json.GetString(); }
        else if (Is(ref json, "container"u8)) { Container = Same(ref json, ref lastContainer); }
        else if (Is(ref json, "name"u8)) { BlobName = json.GetString(); }
        else if (Is(ref json, "sha256"u8)) { Sha256 = json.GetString(); }
        else if (Is(ref json, "length"u8)) { Length = json.GetInt64(); }
        else if (Is(ref json, "contentType"u8)) { ContentType = Same(ref json, ref lastContentType); }
        else if (Is(ref json, "propertiesSha256"u8)) { PropertiesSha256 = json.GetString(); }
        else if (Is(ref json, "properties"u8)) { Properties = ReadMap(ref json); }
        else if (Is(ref json, "metadata"u8)) { Metadata = ReadMap(ref json); }
        else if (Is(ref json, "deduplicated"u8)) { Deduplicated = json.GetBoolean(); }
        else if (Is(ref json, "overwrote"u8)) { Overwrote = json.GetBoolean(); }
        else if (Is(ref json, "etag"u8)) { ETag = json.GetString(); }
        else if (Is(ref json, "previousEtag"u8)) { PreviousETag = json.GetString(); }
        else if (Is(ref json, "clientId"u8)) { ClientId = Same(ref json, ref lastClientId); }
        else if (Is(ref json, "owner"u8)) { Owner = json.GetString(); }
        else if (Is(ref json, "outcome"u8)) { Outcome = Same(ref json, ref lastOutcome); }
        else if (Is(ref json, "fault"u8)) { Fault = json.GetString(); }
        else if (Is(ref json, "point"u8)) { Point = json.GetString(); }
        else if (Is(ref json, "action"u8)) { Action = json.GetString(); }
        else if (Is(ref json, "target"u8)) { Target = json.GetString(); }
        else { throw new JsonException(); }
    }

    private void ReadSequence(ref Utf8JsonReader json)
    {
        // A number where the emulator gave it, text where a client stored it.
        if (json.TokenType == JsonTokenType.Number)
        {
            Sequence = json.GetInt64();
        }
        else
        {
            SequenceText = json.GetString();
        }
    }

    private static bool Is(ref Utf8JsonReader json, ReadOnlySpan<byte> name)
    {
        if (!json.ValueTextEquals(name))
        {
            return false;
        }

        json.Read();
        return true;
    }

    private static string? Same(ref Utf8JsonReader json, ref string? last)
    {
        if (last is null || json.TokenType != JsonTokenType.String || !json.ValueTextEquals(last))
        {
            last = json.GetString();
        }

        return last;
    }

    private static Dictionary<string, string> ReadMap(ref Utf8JsonReader json)
    {
        if (json.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException();
        }

        var map = new Dictionary<string, string>(StringComparer.Ordinal);
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var name = json.GetString()!;
            json.Read();
            map[name] = json.GetString() ?? throw new JsonException();
        }

        return map;
    }

    private void Clear()
    {
        Tick = Sequence = Length = null;
        Microseconds = 0;
        Kind = Hub = Group = Partition = SequenceText = Offset = Link = Entity = MessageId = Container = BlobName = null;
        Sha256 = ContentType = PropertiesSha256 = ETag = PreviousETag = ClientId = Owner = Outcome = Fault = Point = Action = Target = null;
        Properties = Metadata = null;
        Deduplicated = Overwrote = false;
    }
}
