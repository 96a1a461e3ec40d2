using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Processing.Sinks;

/// <summary>
/// A blob that has one event's body under the event's name. It is uploaded only if absent. An existing blob is compared by length and hash, and never
/// overwritten.
/// </summary>
internal static class EventBlob
{
    /// <summary>The body's SHA-256 in hexadecimal digits.</summary>
    public const string HashName = "sha256";

    /// <summary>The body's length in bytes.</summary>
    public const string LengthName = "length";

    /// <summary>Hash and length of the body for the blob's metadata.</summary>
    public static Dictionary<string, string> GetMetadata(ReadOnlyMemory<byte> body) =>
        new(3, StringComparer.Ordinal) { [HashName] = ComputeHash(body), [LengthName] = body.Length.ToString(CultureInfo.InvariantCulture) };

    /// <summary>The hash in the form of the metadata.</summary>
    public static string ComputeHash(ReadOnlyMemory<byte> body)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body.Span, hash);
        return Convert.ToHexStringLower(hash);
    }

    /// <summary>Uploads the blob. Returns the existing one with the same bytes, or null when there was none.</summary>
    /// <param name="container">The container.</param>
    /// <param name="upload">The blob, with <see cref="GetMetadata"/> among its metadata.</param>
    /// <param name="cancellationToken">Cancels the requests.</param>
    /// <exception cref="MessagingException">Kind Permanent when there is another blob in its place. Others when the upload failed.</exception>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public static async ValueTask<BlobProperties?> StoreOrFindAsync(IBlobContainer container, BlobUpload upload, CancellationToken cancellationToken)
    {
        try
        {
            await container.UploadAsync(upload.Condition.IfAbsent ? upload : upload with { Condition = BlobCondition.Absent }, cancellationToken);
            return null;
        }
        catch (MessagingException failure) when (failure.Kind == FailureKind.Conflict)
        {
            return await FindAsync(container, upload, failure, cancellationToken);
        }
    }

    private static async Task<BlobProperties> FindAsync(
        IBlobContainer container,
        BlobUpload upload,
        MessagingException conflict,
        CancellationToken cancellationToken
    )
    {
        var stored =
            await container.GetPropertiesAsync(upload.Name, cancellationToken)
            ?? throw new MessagingException(FailureKind.Transient, $"blob '{upload.Name}' existed and was deleted", conflict);
        return stored.ContentLength == upload.Content.Length && stored.Metadata.GetValueOrDefault(HashName) == upload.Metadata![HashName]
            ? stored
            : throw new MessagingException(
                FailureKind.Permanent,
                $"blob '{upload.Name}' in container '{container.Name}' already has different bytes",
                conflict
            );
    }
}
