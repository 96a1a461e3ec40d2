using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Consumer.Sinks;

/// <summary>
/// A blob that holds one event's body under the event's own name. It is uploaded only if absent; what is there already is compared
/// by length and hash, and never overwritten.
/// </summary>
internal static class EventBlob
{
    private const string HashName = "sha256";
    private const string LengthName = "length";

    /// <summary>Hash and length of the body, as every such blob has them in its metadata.</summary>
    public static Dictionary<string, string> MetadataOf(ReadOnlyMemory<byte> body)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body.Span, hash);
        return new Dictionary<string, string>(3, StringComparer.Ordinal)
        {
            [HashName] = Convert.ToHexStringLower(hash),
            [LengthName] = body.Length.ToString(CultureInfo.InvariantCulture),
        };
    }

    /// <summary>Uploads the blob; false when the same bytes were in place.</summary>
    /// <exception cref="MessagingException">Kind Permanent when other bytes are in place; others when the upload failed.</exception>
    public static async Task<bool> StoreAsync(IBlobContainer container, BlobUpload upload, CancellationToken cancellationToken)
    {
        try
        {
            await container.UploadAsync(upload with { Condition = BlobCondition.Absent }, cancellationToken);
            return true;
        }
        catch (MessagingException failure) when (failure.Kind == FailureKind.Conflict)
        {
            await CompareAsync(container, upload, failure, cancellationToken);
            return false;
        }
    }

    private static async Task CompareAsync(IBlobContainer container, BlobUpload upload, MessagingException conflict, CancellationToken cancellationToken)
    {
        var stored =
            await container.GetPropertiesAsync(upload.Name, cancellationToken)
            ?? throw new MessagingException(FailureKind.Transient, $"blob '{upload.Name}' was there and has gone", conflict);
        if (stored.ContentLength != upload.Content.Length || stored.Metadata.GetValueOrDefault(HashName) != upload.Metadata![HashName])
        {
            throw new MessagingException(FailureKind.Permanent, $"blob '{upload.Name}' in container '{container.Name}' already holds other bytes", conflict);
        }
    }
}
