using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Finds the blob that a request names as the source of a copy. Content is never fetched from another server.</summary>
internal sealed class CopySource(BlobServiceOptions options, BlobStore store, BlobAuthorization authorization)
{
    private const int LongestAddress = 2 * 1024;

    /// <summary>Finds and authorises the source.</summary>
    /// <param name="request">A request with the source in its headers.</param>
    /// <param name="source">The current blob.</param>
    /// <param name="shown">Its address without query, as later answers show it.</param>
    public BlobFailure? Find(BlobRequest request, out StoredBlob? source, out string shown)
    {
        source = null;
        shown = string.Empty;
        var text = request.Header("x-ms-copy-source") ?? string.Empty;
        if (
            text.Length > LongestAddress
            || !Uri.TryCreate(text, UriKind.Absolute, out var uri)
            || !BlobNames.IsPrintable(text)
            || (uri.Scheme != Uri.UriSchemeHttp && uri.Scheme != Uri.UriSchemeHttps)
            // The user information would be stored and shown to every reader of the copy.
            || uri.UserInfo.Length > 0
        )
        {
            return BlobFailure.InvalidHeader("x-ms-copy-source");
        }

        // The path as it was sent. The signature covers this text, and another parser might change it.
        var path = text.IndexOf('/', text.IndexOf("://", StringComparison.Ordinal) + "://".Length);
        if (
            !IsHere(uri, request)
            || path < 0
            || BlobAddress.Parse(text[path..]) is not { Container: { } name, Blob: { } blob } address
            || address.Account != options.Account
        )
        {
            return BlobFailure.CopySourceRefused(403, "The source is not a blob of this account, and other sources are not fetched.");
        }

        shown = text.Split('?', 2)[0];
        if (authorization.CheckSource(request, address) is { } refused)
        {
            return BlobFailure.CopySourceRefused(403, refused.Message);
        }

        if (address.Query("snapshot") is not null || address.Query("versionid") is not null)
        {
            return BlobFailure.Unsupported("snapshots and versions");
        }

        if (store.Find(name, out var container) is not null || container!.Find(blob) is not { } found)
        {
            return BlobFailure.CopySourceRefused(404, "The specified blob does not exist.");
        }

        source = found;
        return BlobConditions.TryReadSource(request.Headers, out var conditions)
            ?? Lease.CheckNamed(found.Lease, request.Header("x-ms-source-lease-id"), container.Now, LeaseWords.Blob)
            ?? (conditions.CheckChange(found.ETag, found.LastModified) is null ? null : BlobFailure.SourceConditionNotMet);
    }

    private static bool IsHere(Uri uri, BlobRequest request) =>
        uri.Port == request.Context.Connection.LocalPort
        && (uri.IsLoopback || string.Equals(uri.Host, request.Context.Request.Host.Host, StringComparison.OrdinalIgnoreCase));
}
