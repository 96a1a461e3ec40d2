using System.Collections.Frozen;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Features that a request may ask for and that are not supported. Each is refused by name. Otherwise a client would later find different data than it stored.
/// </summary>
internal static class UnsupportedFeatures
{
    private static readonly FrozenSet<string> Headers = new[]
    {
        "x-ms-encryption-key",
        "x-ms-encryption-scope",
        "x-ms-default-encryption-scope",
        "x-ms-source-encryption-key",
        "x-ms-if-tags",
        "x-ms-source-if-tags",
        "x-ms-tags",
        "x-ms-immutability-policy-until-date",
        "x-ms-immutability-policy-mode",
        "x-ms-legal-hold",
        "x-ms-access-tier",
        "x-ms-copy-source-authorization",
        "x-ms-seal-blob",
    }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    private static readonly string[] Parameters = ["snapshot", "versionid", "prevsnapshot"];

    public static BlobFailure? Find(BlobRequest request)
    {
        foreach ((var name, _) in request.Fields)
        {
            if (Headers.Contains(name))
            {
                return BlobFailure.Unsupported(name);
            }
        }

        foreach (var name in Parameters)
        {
            if (request.Query(name) is not null)
            {
                return BlobFailure.Unsupported(name);
            }
        }

        return HttpMethods.IsDelete(request.Method) && request.Header("x-ms-delete-snapshots") is "only"
            ? BlobFailure.Unsupported("x-ms-delete-snapshots: only")
            : KnownParameters.Find(request);
    }
}
