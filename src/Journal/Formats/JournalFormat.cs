using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>The names and limits of docs/journal.md, for the writer and the reader.</summary>
internal static class JournalFormat
{
    public const string Name = "eht-journal";
    public const string LedgerName = "eht-ledger";
    public const int LedgerVersion = 1;
    public const string AcknowledgementsName = "eht-acknowledgements";
    public const int AcknowledgementsVersion = 1;

    /// <summary>
    /// Version 10 has the periods in which the emulator was paused. Version 9 names the connection of a message, and has rules that could not be evaluated.
    /// Version 8 repeats fewer known values, and has what existed when the journal began. Version 7 has deleted blobs. Version 6 has the attaches of readers.
    /// Version 5 has the numbers of arriving messages, and after a kill what was stored last. Version 4 has the owner level of readers. Version 3 has expired
    /// events and starts of the emulator. Version 2 has times, deliveries and settlements of messages, and faults. Older versions can be read as well.
    /// </summary>
    public const int Version = 10;

    /// <summary>The longest line, in bytes: a record has hashes and positions, never bodies.</summary>
    public const int MaximumLine = 1024 * 1024;

    /// <summary>A tab and eight hexadecimal digits.</summary>
    public const int ChecksumLength = 9;

    public static readonly JsonEncodedText Kind = JsonEncodedText.Encode("k");
    public static readonly JsonEncodedText Hub = JsonEncodedText.Encode("hub");
    public static readonly JsonEncodedText Group = JsonEncodedText.Encode("group");
    public static readonly JsonEncodedText Partition = JsonEncodedText.Encode("partition");
    public static readonly JsonEncodedText Sequence = JsonEncodedText.Encode("sequence");
    public static readonly JsonEncodedText Count = JsonEncodedText.Encode("count");
    public static readonly JsonEncodedText Offset = JsonEncodedText.Encode("offset");
    public static readonly JsonEncodedText OwnerLevel = JsonEncodedText.Encode("ownerLevel");
    public static readonly JsonEncodedText Link = JsonEncodedText.Encode("link");
    public static readonly JsonEncodedText Entity = JsonEncodedText.Encode("entity");
    public static readonly JsonEncodedText MessageId = JsonEncodedText.Encode("messageId");
    public static readonly JsonEncodedText Arrival = JsonEncodedText.Encode("arrival");
    public static readonly JsonEncodedText Container = JsonEncodedText.Encode("container");
    public static readonly JsonEncodedText BlobName = JsonEncodedText.Encode("name");
    public static readonly JsonEncodedText Sha256 = JsonEncodedText.Encode("sha256");
    public static readonly JsonEncodedText Length = JsonEncodedText.Encode("length");
    public static readonly JsonEncodedText ContentType = JsonEncodedText.Encode("contentType");
    public static readonly JsonEncodedText PropertiesSha256 = JsonEncodedText.Encode("propertiesSha256");
    public static readonly JsonEncodedText Properties = JsonEncodedText.Encode("properties");
    public static readonly JsonEncodedText Metadata = JsonEncodedText.Encode("metadata");
    public static readonly JsonEncodedText Restated = JsonEncodedText.Encode("restated");
    public static readonly JsonEncodedText Deduplicated = JsonEncodedText.Encode("deduplicated");
    public static readonly JsonEncodedText Overwrote = JsonEncodedText.Encode("overwrote");
    public static readonly JsonEncodedText ETag = JsonEncodedText.Encode("etag");
    public static readonly JsonEncodedText PreviousETag = JsonEncodedText.Encode("previousEtag");
    public static readonly JsonEncodedText ClientId = JsonEncodedText.Encode("clientId");
    public static readonly JsonEncodedText Owner = JsonEncodedText.Encode("owner");
    public static readonly JsonEncodedText Outcome = JsonEncodedText.Encode("outcome");
    public static readonly JsonEncodedText Rule = JsonEncodedText.Encode("rule");
    public static readonly JsonEncodedText Fault = JsonEncodedText.Encode("fault");
    public static readonly JsonEncodedText Point = JsonEncodedText.Encode("point");
    public static readonly JsonEncodedText Action = JsonEncodedText.Encode("action");
    public static readonly JsonEncodedText Target = JsonEncodedText.Encode("target");
    public static readonly JsonEncodedText Connection = JsonEncodedText.Encode("connection");
    public static readonly JsonEncodedText Stood = JsonEncodedText.Encode("stood");

    public static readonly JsonEncodedText EventAppended = JsonEncodedText.Encode("eh.append");
    public static readonly JsonEncodedText ReaderAttached = JsonEncodedText.Encode("eh.attach");
    public static readonly JsonEncodedText EventDelivered = JsonEncodedText.Encode("eh.deliver");
    public static readonly JsonEncodedText EventExpired = JsonEncodedText.Encode("eh.expire");
    public static readonly JsonEncodedText EmulatorStarted = JsonEncodedText.Encode("em.start");
    public static readonly JsonEncodedText StateFound = JsonEncodedText.Encode("em.found");
    public static readonly JsonEncodedText EmulatorPaused = JsonEncodedText.Encode("em.stood");
    public static readonly JsonEncodedText OwnershipWritten = JsonEncodedText.Encode("own.write");
    public static readonly JsonEncodedText MessageDelivered = JsonEncodedText.Encode("sb.deliver");
    public static readonly JsonEncodedText MessageSettled = JsonEncodedText.Encode("sb.settle");
    public static readonly JsonEncodedText ConnectionCut = JsonEncodedText.Encode("sb.cut");
    public static readonly JsonEncodedText RulesNotEvaluated = JsonEncodedText.Encode("sb.rule");
    public static readonly JsonEncodedText PartitionReadBack = JsonEncodedText.Encode("ns.read");
    public static readonly JsonEncodedText BlobDeleted = JsonEncodedText.Encode("blob.delete");
    public static readonly JsonEncodedText FaultInjected = JsonEncodedText.Encode("fault");

    // By moment: begun, stored, answered.
    public static readonly JsonEncodedText[] MessageWritten = Encode("sb.begin", "sb.accept", "sb.answered");
    public static readonly JsonEncodedText[] BlobWritten = Encode("blob.begin", "blob.stored", "blob.answered");
    public static readonly JsonEncodedText[] CheckpointWritten = Encode("ck.begin", "ck.write", "ck.answered");

    public static int GetVersion(string format) =>
        format switch
        {
            Name => Version,
            LedgerName => LedgerVersion,
            _ => AcknowledgementsVersion,
        };

    private static JsonEncodedText[] Encode(params ReadOnlySpan<string> names)
    {
        var encoded = new JsonEncodedText[names.Length];
        for (var i = 0; i < names.Length; i++)
        {
            encoded[i] = JsonEncodedText.Encode(names[i]);
        }

        return encoded;
    }
}
