using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.FaultInjection;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A request: its address, headers, permissions and response.</summary>
internal sealed class BlobRequest(HttpContext context, BlobAddress address)
{
    private const string MetadataPrefix = "x-ms-meta-";

    private KeyValuePair<string, string>[]? fields;

    public HttpContext Context { get; } = context;

    public BlobAddress Address { get; } = address;

    public string? Container => Address.Container;

    public string? Blob => Address.Blob;

    public string Method => Context.Request.Method;

    public bool IsHead => HttpMethods.IsHead(Method);

    public IHeaderDictionary Headers => Context.Request.Headers;

    /// <summary>The headers as names and values, read once, because each pass over Kestrel's collection is costly.</summary>
    public ReadOnlySpan<KeyValuePair<string, string>> Fields => fields ??= Gather(Headers);

    public HttpResponse Response => Context.Response;

    /// <summary>The arrival time, as a raw timestamp of the latency clock.</summary>
    public long ArrivedAt { get; set; }

    /// <summary>The admission that the answer releases.</summary>
    public Admission Admission { get; set; }

    /// <summary>The permissions. Set after authorization.</summary>
    public BlobGrant Grant { get; set; } = BlobGrant.Nothing;

    /// <summary>Parses a request. Null when its target is not an address.</summary>
    public static BlobRequest? Parse(HttpContext context) =>
        BlobAddress.Parse(context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget) is { } address ? new BlobRequest(context, address) : null;

    /// <summary>A query parameter, decoded. Null when absent.</summary>
    public string? Query(string name) => Address.Query(name);

    public string? Header(string name) => Headers.TryGetValue(name, out var value) ? value.ToString() : null;

    /// <summary>Replaces a header after the signature has been checked.</summary>
    public void ReplaceHeader(string name, string value)
    {
        Headers[name] = value;
        fields = null;
    }

    public BlobFailure? TryReadLeaseId(out string? id)
    {
        id = Header("x-ms-lease-id");
        return id is null || Guid.TryParse(id, out _) ? null : BlobFailure.InvalidHeader("x-ms-lease-id");
    }

    public BlobFailure? TryReadMetadata(out Dictionary<string, string> metadata)
    {
        metadata = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((var name, var value) in Fields)
        {
            if (name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            {
                metadata[name[MetadataPrefix.Length..]] = value;
            }
        }

        return BlobNames.CheckMetadata(metadata);
    }

    /// <summary>A header that is stored. Null if it could not be sent back.</summary>
    public string? StoredHeader(string name) => Header(name) is { Length: > 0 } value && BlobNames.IsPrintable(value) ? value : null;

    /// <summary>The standard headers that the request stores.</summary>
    /// <param name="contentType">Used when the request names none.</param>
    public BlobHttpHeaders StoredHeaders(string? contentType = null) =>
        new(
            StoredHeader("x-ms-blob-content-type") ?? contentType ?? "application/octet-stream",
            StoredHeader("x-ms-blob-content-encoding"),
            StoredHeader("x-ms-blob-content-language"),
            StoredHeader("x-ms-blob-content-md5"),
            StoredHeader("x-ms-blob-cache-control"),
            StoredHeader("x-ms-blob-content-disposition")
        );

    private static KeyValuePair<string, string>[] Gather(IHeaderDictionary headers)
    {
        var gathered = new KeyValuePair<string, string>[headers.Count];
        var count = 0;
        foreach ((var name, var value) in headers)
        {
            gathered[count++] = new(name, value.ToString());
        }

        return gathered;
    }
}
