using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace EventHubThroughput.Verification;

/// <summary>What a blob says of itself beside its bytes. Names travel as HTTP headers, so their case means nothing.</summary>
internal static class BlobMetadata
{
    /// <summary>Holds the base64 of the event's encoded application properties, if it has any.</summary>
    private const string PropertiesName = "properties";

    public static string? Find(IReadOnlyDictionary<string, string>? metadata, string name)
    {
        if (metadata is null)
        {
            return null;
        }

        foreach (var (key, value) in metadata)
        {
            if (string.Equals(key, name, StringComparison.OrdinalIgnoreCase))
            {
                return value;
            }
        }

        return null;
    }

    /// <summary>The digest of the properties that the blob keeps; none when it keeps none, or nothing that can be read.</summary>
    public static Digest PropertiesOf(IReadOnlyDictionary<string, string>? metadata)
    {
        if (Find(metadata, PropertiesName) is not { Length: > 0 } text)
        {
            return default;
        }

        var bytes = Encoding.UTF8.GetBytes(text);
        return Base64.DecodeFromUtf8InPlace(bytes, out var length) == OperationStatus.Done
            ? Digest.Read(SHA256.HashData(bytes.AsSpan(0, length)))
            : Digest.OfNothing;
    }
}
