using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>One event of a simulated run, and the records that it gives rise to.</summary>
internal sealed record SimulatedEvent(int Index, string Partition, long Sequence, string? Key, long KeyIndex)
{
    public string MessageId => $"{GoodRun.Hub}-{Partition}-{Sequence}";

    public string BlobName => $"{GoodRun.Hub}/{Partition}/{Sequence:D20}";

    public string Sha256 => Hash($"body {Index}");

    public string PropertiesSha256 => Hash($"properties {Index}");

    public string EncodedProperties => Convert.ToBase64String(Encoding.UTF8.GetBytes($"properties {Index}"));

    public long Length => 100 + Index;

    public string Offset => (Sequence * 1000).ToString();

    public Dictionary<string, string> Stamp => new() { ["eht-run"] = GoodRun.Run, ["eht-index"] = Index.ToString() };

    public static string Hash(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    public LedgerRow Row(SendOutcome outcome = SendOutcome.Acked) =>
        new(GoodRun.Run, GoodRun.Hub, Key, Index, KeyIndex, Sha256, Length, 1000 + Index, 1001 + Index, outcome);

    public EventAppended Append() => new(GoodRun.Hub, Partition, Sequence, Offset, Sha256, Length, "application/json", PropertiesSha256, Stamp);

    /// <summary>A link that begins with this event.</summary>
    public ReaderAttached Attach(string link) => new(GoodRun.Hub, GoodRun.Group, Partition, Sequence, link, 0, ClientId: null);

    public EventDelivered Deliver(string link) => new(GoodRun.Hub, GoodRun.Group, Partition, Sequence, link, 0);

    public MessageWritten Message(WriteMoment moment) =>
        new(moment, GoodRun.Queue, MessageId, Sha256, Length, "application/json", PropertiesSha256, Stamp, Deduplicated: false);

    public BlobWritten Blob(WriteMoment moment) =>
        new(
            moment,
            "archive",
            BlobName,
            Sha256,
            Length,
            "application/json",
            new Dictionary<string, string>
            {
                ["Sha256"] = Sha256,
                ["Length"] = Length.ToString(),
                ["Properties"] = EncodedProperties,
            },
            ETag: "e1",
            Overwrote: false
        );

    public BlobWritten DeadLetter(string reason = "too large", string? sha256 = null, string sinks = "servicebus,blob") =>
        Blob(WriteMoment.Stored) with
        {
            Container = "deadletters",
            Metadata = new Dictionary<string, string>
            {
                ["Reason"] = reason,
                ["Attempts"] = "1",
                ["Sinks"] = sinks,
                ["Partition"] = Partition,
                ["Sequence"] = Sequence.ToString(),
                ["Offset"] = Convert.ToBase64String(Encoding.UTF8.GetBytes(Offset)),
                ["Enqueued"] = "2026-11-27T10:00:00.0000000+00:00",
                ["Properties"] = EncodedProperties,
                ["Sha256"] = sha256 ?? Sha256,
                ["Length"] = Length.ToString(),
            },
        };

    /// <summary>The blob beside the dead letter that holds its properties.</summary>
    public BlobWritten Supplement() =>
        Blob(WriteMoment.Stored) with
        {
            Container = "deadletters",
            Name = BlobName + ".properties",
            Sha256 = PropertiesSha256,
            Length = 12,
            Metadata = new Dictionary<string, string> { ["Sha256"] = PropertiesSha256, ["Length"] = "12" },
        };

    public CheckpointWritten Checkpoint(string client = "owner") =>
        new(WriteMoment.Stored, "checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), Partition, Offset, Sequence.ToString(), client, null, null);
}
