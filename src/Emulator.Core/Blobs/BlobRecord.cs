using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Creates the journal records of stored blobs. Metadata that repeat the record, or carry properties of an event, are shortened.</summary>
internal static class BlobRecord
{
    private const string Hash = "sha256";
    private const string Length = "length";
    private const string Properties = "properties";

    public static BlobWritten OfStored(string container, StoredBlob stored, bool overwrote)
    {
        var content = stored.Content;
        var details = content.Details;
        var metadata = details.Metadata;
        var restated =
            metadata.GetValueOrDefault(Hash) is { } hash
            && hash == details.Sha256
            && metadata.GetValueOrDefault(Length) == content.Length.ToString(CultureInfo.InvariantCulture);
        var properties = GetDigest(metadata.GetValueOrDefault(Properties));
        Dictionary<string, string>? known = null;
        foreach (var entry in metadata)
        {
            if (!(restated && (Is(entry, Hash) || Is(entry, Length))) && !(properties is not null && Is(entry, Properties)))
            {
                known ??= new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
                known.Add(entry.Key, entry.Value);
            }
        }

        return new BlobWritten(
            WriteMoment.Stored,
            container,
            content.Name,
            details.Sha256,
            content.Length,
            details.Headers.ContentType,
            known,
            stored.ETag,
            overwrote
        )
        {
            PropertiesSha256 = properties,
            Restated = restated,
        };
    }

    private static bool Is(KeyValuePair<string, string> entry, string name) => entry.Key.Equals(name, StringComparison.OrdinalIgnoreCase);

    // Null for text that is empty or not base64.
    private static string? GetDigest(string? base64)
    {
        if (string.IsNullOrEmpty(base64))
        {
            return null;
        }

        var bytes = ArrayPool<byte>.Shared.Rent(base64.Length);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        var isText = Convert.TryFromBase64String(base64, bytes, out var length) && length > 0;
        if (isText)
        {
            SHA256.HashData(bytes.AsSpan(0, length), hash);
        }

        ArrayPool<byte>.Shared.Return(bytes);
        return isText ? Convert.ToHexStringLower(hash) : null;
    }
}
