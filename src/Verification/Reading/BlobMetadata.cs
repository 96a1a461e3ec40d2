using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads what a blob's metadata say of its event.</summary>
internal sealed class BlobMetadata
{
    // The journal's own shorter form would not be found equal by a consumer.
    private const int HexLength = 64;

    private byte[] decoded = new byte[256];

    /// <summary>
    /// Whether the metadata have the hash and the length of the blob's bytes. A consumer that finds the blob in place compares with these texts alone, so
    /// a blob that lacks them, or has the hash in another form than lower-case hexadecimal, stands in the way for ever.
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
    /// The content type of the event of a dead letter, as a redrive reads it: the blob's, unless no header could bring it over (then it is in the metadata, as
    /// base64) or the event has none (then the metadata say so).
    /// </summary>
    public ulong ContentTypeOf(RecordView record)
    {
        var fields = record.Map(RecordField.Metadata);
        var bytes =
            fields.TryFind("contenttype"u8, ignoreCase: true, out var text) ? Decode(text)
            : fields.TryFind("untyped"u8, ignoreCase: true, out _) ? default
            : record.Text(RecordField.ContentType);
        return bytes.IsEmpty ? 0 : TextHash.Of(bytes);
    }

    /// <summary>Half of the digest of the properties that the blob keeps, as base64: names of metadata travel as HTTP headers.</summary>
    public ulong PropertiesOf(RecordView record) =>
        record.Has(RecordField.PropertiesSha256) ? ContentFact.Half(Digest.Parse(record.Text(RecordField.PropertiesSha256)))
        : !record.Map(RecordField.Metadata).TryFind("properties"u8, ignoreCase: true, out var text) || text.IsEmpty ? 0
        : Decode(text) is { IsEmpty: false } properties ? ContentFact.Half(Digest.Fold(SHA256.HashData(properties)))
        : ContentFact.Half(Digest.OfNothing);

    /// <summary>The bytes of a base64 text, valid until the next call. None when it is no such text.</summary>
    public ReadOnlySpan<byte> Decode(ReadOnlySpan<byte> text)
    {
        if (decoded.Length < text.Length)
        {
            decoded = new byte[text.Length];
        }

        return Base64.DecodeFromUtf8(text, decoded, out _, out var length) == OperationStatus.Done ? decoded.AsSpan(0, length) : default;
    }
}
