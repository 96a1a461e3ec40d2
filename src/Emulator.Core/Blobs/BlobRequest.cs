using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.FaultInjection;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A request: what it addresses, its headers, what it may do, and where to answer.</summary>
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

    /// <summary>The headers as names and values, gathered once: each look through Kestrel's own costs as much again.</summary>
    public ReadOnlySpan<KeyValuePair<string, string>> Fields => fields ??= Gather(Headers);

    public HttpResponse Response => Context.Response;

    /// <summary>When it had arrived, by the raw timestamp of the latencies' clock.</summary>
    public long ArrivedAt { get; set; }

    /// <summary>What its answer ends.</summary>
    public Admission Admission { get; set; }

    /// <summary>Set when the request has been authorised.</summary>
    public BlobGrant Grant { get; set; } = BlobGrant.Nothing;

    /// <summary>Takes a request apart. Null when its target is no address.</summary>
    public static BlobRequest? Parse(HttpContext context) =>
        BlobAddress.Parse(context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget) is { } address ? new BlobRequest(context, address) : null;

    /// <summary>A query parameter, decoded. Null when absent.</summary>
    public string? Query(string name) => Address.Query(name);

    public string? Header(string name) => Headers.TryGetValue(name, out var value) ? value.ToString() : null;

    /// <summary>Lets the request say something else than was sent, once its signature has been read.</summary>
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

    /// <summary>A header that is stored. One that could not be sent back is not kept.</summary>
    public string? StoredHeader(string name) => Header(name) is { Length: > 0 } value && BlobNames.IsPrintable(value) ? value : null;

    /// <summary>The standard headers that the request wants stored.</summary>
    /// <param name="contentType">When the request names none.</param>
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
