using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads the fields of an event in a blob's metadata.</summary>
internal sealed class BlobMetadata
{
    // A consumer would not accept the shorter form of the journal.
    private const int HexLength = 64;

    private byte[] decoded = new byte[256];

    /// <summary>
    /// Whether the metadata have the hash and the length of the blob's bytes. A consumer that finds an existing blob compares only these texts. A blob
    /// without them, or with the hash in another form than lower-case hexadecimal, would block it for ever.
    /// </summary>
    public static bool IsTrue(RecordView record)
    {
        var metadata = record.Map(RecordField.Metadata);
        return record.Flag(RecordField.Restated)
            || (
                metadata.TryFind("sha256"u8, ignoreCase: true, out var sha256)
                && sha256.Length == HexLength
                && !sha256.ContainsAnyInRange((byte)'A', (byte)'F')
                && Digest.Parse(sha256) is { IsNone: false } digest
                && digest == Digest.Parse(record.Text(RecordField.Sha256))
                && metadata.TryFind("length"u8, ignoreCase: true, out var length)
                && HubReading.IsNumber(length, record.Number(RecordField.Length))
            );
    }

    /// <summary>
    /// The content type of a dead letter's event, as a redrive reads it. It is usually the blob's. If no header can carry it, it is in the metadata as
    /// base64. If the event has none, the metadata have a mark.
    /// </summary>
    public ulong GetContentType(RecordView record)
    {
        var fields = record.Map(RecordField.Metadata);
        var bytes =
            fields.TryFind("contenttype"u8, ignoreCase: true, out var text) ? Decode(text)
            : fields.TryFind("untyped"u8, ignoreCase: true, out _) ? default
            : record.Text(RecordField.ContentType);
        return bytes.IsEmpty ? 0 : TextHash.Of(bytes);
    }

    /// <summary>Half of the digest of the properties in the metadata. They are base64, because metadata travels as HTTP headers.</summary>
    public ulong GetProperties(RecordView record) =>
        record.Has(RecordField.PropertiesSha256) ? ContentFact.Half(Digest.Parse(record.Text(RecordField.PropertiesSha256)))
        : !record.Map(RecordField.Metadata).TryFind("properties"u8, ignoreCase: true, out var text) || text.IsEmpty ? 0
        : Decode(text) is { IsEmpty: false } properties ? ContentFact.Half(Digest.Fold(SHA256.HashData(properties)))
        : ContentFact.Half(Digest.OfNothing);

    /// <summary>The bytes of a base64 text, valid until the next call. Empty when it is not such a text.</summary>
    public ReadOnlySpan<byte> Decode(ReadOnlySpan<byte> text)
    {
        if (decoded.Length < text.Length)
        {
            decoded = new byte[text.Length];
        }

        return Base64.DecodeFromUtf8(text, decoded, out _, out var length) == OperationStatus.Done ? decoded.AsSpan(0, length) : default;
    }
}
