using System.Collections.Frozen;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The query parameters that each operation supports, and the supported headers of the service. All others are refused, because the client would assume that
/// they took effect.
/// </summary>
internal static class KnownParameters
{
    private const string ServicePrefix = "x-ms-";
    private const string MetadataPrefix = "x-ms-meta-";

    // The parameters of every operation, including the fields of a shared access signature.
    private static readonly FrozenSet<string> Common = Names(
        "comp",
        "restype",
        "timeout",
        "api-version",
        "sv",
        "ss",
        "srt",
        "sr",
        "sp",
        "st",
        "se",
        "sip",
        "spr",
        "si",
        "sig",
        "ses",
        "sdd",
        "skoid",
        "sktid",
        "skt",
        "ske",
        "sks",
        "skv",
        "saoid",
        "suoid",
        "scid",
        "rscc",
        "rscd",
        "rsce",
        "rscl",
        "rsct"
    );

    private static readonly FrozenSet<string> OfContainers = Names("prefix", "marker", "maxresults", "include");
    private static readonly FrozenSet<string> OfBlobs = Names("prefix", "marker", "maxresults", "include", "delimiter", "startFrom", "endBefore");
    private static readonly FrozenSet<string> OfBlock = Names("blockid");
    private static readonly FrozenSet<string> OfBlockList = Names("blocklisttype");
    private static readonly FrozenSet<string> OfCopy = Names("copyid");
    private static readonly FrozenSet<string> None = Names();

    private static readonly FrozenSet<string> Headers = Names(
        "x-ms-blob-cache-control",
        "x-ms-blob-content-disposition",
        "x-ms-blob-content-encoding",
        "x-ms-blob-content-language",
        "x-ms-blob-content-length",
        "x-ms-blob-content-md5",
        "x-ms-blob-content-type",
        "x-ms-blob-public-access",
        "x-ms-blob-type",
        "x-ms-content-crc64",
        "x-ms-copy-action",
        "x-ms-copy-source",
        "x-ms-copy-source-blob-properties",
        "x-ms-date",
        "x-ms-delete-snapshots",
        "x-ms-delete-type-permanent",
        "x-ms-lease-action",
        "x-ms-lease-break-period",
        "x-ms-lease-duration",
        "x-ms-lease-id",
        "x-ms-proposed-lease-id",
        "x-ms-range",
        "x-ms-range-get-content-crc64",
        "x-ms-range-get-content-md5",
        "x-ms-requires-sync",
        "x-ms-source-content-crc64",
        "x-ms-source-content-md5",
        "x-ms-source-if-match",
        "x-ms-source-if-modified-since",
        "x-ms-source-if-none-match",
        "x-ms-source-if-unmodified-since",
        "x-ms-source-lease-id",
        "x-ms-source-range",
        "x-ms-version",
        // They have no effect without a key or a scope, which are refused. One of Python's clients always names the algorithm.
        "x-ms-deny-encryption-scope-override",
        "x-ms-encryption-algorithm",
        // They have no effect: identifiers of requests and of the client program.
        "x-ms-client-request-id",
        "x-ms-command-name",
        "x-ms-correlation-request-id",
        "x-ms-parameter-set-name",
        "x-ms-return-client-request-id",
        "x-ms-useragent"
    );

    // Headers of operations whose request or answer is the content of a blob.
    private static readonly FrozenSet<string> HeadersOfContent = Names(StructuredBodyFormat.Header, StructuredBodyFormat.LengthHeader);

    /// <summary>The refusal of an unsupported parameter or header, or null.</summary>
    public static BlobFailure? Find(BlobRequest request)
    {
        var carriesContent = CarriesContent(request);
        foreach ((var name, _) in request.Fields)
        {
            if (
                name.StartsWith(ServicePrefix, StringComparison.OrdinalIgnoreCase)
                && !name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase)
                && !Headers.Contains(name)
                && !(carriesContent && HeadersOfContent.Contains(name))
            )
            {
                return BlobFailure.UnsupportedHeader(name);
            }
        }

        var own = OfOperation(request);
        foreach (var name in request.Address.Parameters)
        {
            if (!Common.Contains(name) && !own.Contains(name))
            {
                return BlobFailure.UnsupportedParameter(name);
            }
        }

        return null;
    }

    private static FrozenSet<string> OfOperation(BlobRequest request) =>
        (request.Query("comp"), request.Blob, request.Container) switch
        {
            ("list", null, null) => OfContainers,
            ("list", null, _) => OfBlobs,
            ("block", not null, _) => OfBlock,
            ("blocklist", not null, _) when HttpMethods.IsGet(request.Method) => OfBlockList,
            ("copy", not null, _) => OfCopy,
            _ => None,
        };

    private static bool CarriesContent(BlobRequest request) =>
        request.Blob is not null
        && (request.Method, request.Query("comp")) is ("GET" or "PUT", null) or ("PUT", "block")
        && request.Header("x-ms-copy-source") is null;

    private static FrozenSet<string> Names(params string[] names) => names.ToFrozenSet(StringComparer.OrdinalIgnoreCase);
}
