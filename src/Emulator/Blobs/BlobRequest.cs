using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A request taken apart: account, container and blob of its path, its query, and where to answer.</summary>
internal sealed class BlobRequest
{
    private const string MetadataPrefix = "x-ms-meta-";

    private readonly Dictionary<string, string> query;

    private BlobRequest(HttpContext context, string rawTarget, string account, string? container, string? blob, Dictionary<string, string> query)
    {
        Context = context;
        RawTarget = rawTarget;
        Account = account;
        Container = container;
        Blob = blob;
        this.query = query;
    }

    public HttpContext Context { get; }

    /// <summary>Path and query as on the request line: what was signed.</summary>
    public string RawTarget { get; }

    public string Account { get; }

    public string? Container { get; }

    public string? Blob { get; }

    public string Method => Context.Request.Method;

    public bool IsHead => HttpMethods.IsHead(Method);

    public IHeaderDictionary Headers => Context.Request.Headers;

    /// <summary>Takes a request apart; null when its target is no path. Account and container are split off before decoding.</summary>
    public static BlobRequest? Parse(HttpContext context)
    {
        string target = context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        if (!target.StartsWith('/'))
        {
            return null;
        }

        int question = target.IndexOf('?', StringComparison.Ordinal);
        string path = question < 0 ? target[1..] : target[1..question];
        string[] parts = path.Split('/', 3);
        return new BlobRequest(
            context,
            target,
            Uri.UnescapeDataString(parts[0]),
            parts.Length > 1 && parts[1].Length > 0 ? Uri.UnescapeDataString(parts[1]) : null,
            parts.Length > 2 && parts[2].Length > 0 ? Uri.UnescapeDataString(parts[2]) : null,
            question < 0 ? [] : ParseQuery(target[(question + 1)..]));
    }

    /// <summary>A query parameter, decoded; null when absent.</summary>
    public string? Query(string name) => query.GetValueOrDefault(name);

    public string? Header(string name) => Headers.TryGetValue(name, out StringValues value) ? value.ToString() : null;

    public BlobFailure? TryReadMetadata(out Dictionary<string, string> metadata)
    {
        metadata = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, StringValues value) in Headers)
        {
            if (name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            {
                metadata[name[MetadataPrefix.Length..]] = value.ToString();
            }
        }

        return BlobNames.CheckMetadata(metadata);
    }

    private static Dictionary<string, string> ParseQuery(string text)
    {
        Dictionary<string, string> parameters = new(StringComparer.OrdinalIgnoreCase);
        foreach (string pair in text.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = pair.IndexOf('=', StringComparison.Ordinal);
            (string name, string value) = equals < 0 ? (pair, string.Empty) : (pair[..equals], pair[(equals + 1)..]);
            parameters[Uri.UnescapeDataString(name)] = Uri.UnescapeDataString(value);
        }

        return parameters;
    }
}
