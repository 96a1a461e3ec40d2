using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.InteropServices;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Creates the message of a try, with date and signature of the account's key.</summary>
internal sealed class BlobSigner(StorageConnectionString settings, TimeProvider clock)
{
    /// <summary>The prefix of the headers that carry metadata.</summary>
    public const string MetadataPrefix = "x-ms-meta-";

    private const string Version = "2023-11-03";

    // A program uses few metadata names for many blobs, so their headers are cached.
    private const int KeptNames = 256;

    private static readonly ConcurrentDictionary<string, string> MetadataHeaders = new(StringComparer.Ordinal);
    private static int s_keptNames;

    // The signed headers: collected for each message and then cleared.
    [ThreadStatic]
    private static List<KeyValuePair<string, string>>? s_headers;

    private readonly string scheme = $"{SharedKeySignature.Scheme}{settings.AccountName}:";

    /// <summary>Creates a message with the date of now.</summary>
    /// <param name="call">The request.</param>
    /// <param name="halfSent">Called when half of the body was sent. Null to skip that.</param>
    public HttpRequestMessage CreateMessage(BlobCall call, Action? halfSent)
    {
        var headers = s_headers ??= [];
        headers.Clear();
        var message = Unsigned(call, halfSent, headers);
        Add("x-ms-version", Version);
        Add("x-ms-date", HttpDate.Format(clock.GetUtcNow()));
        var target = message.RequestUri!.PathAndQuery;
        var signature = SharedKeySignature.Sign(
            message.Method.Method,
            CollectionsMarshal.AsSpan(headers),
            target,
            settings.AccountName,
            settings.AccountKey.Span
        );
        message.Headers.TryAddWithoutValidation("Authorization", scheme + signature);
        headers.Clear();
        return message;

        void Add(string name, string value)
        {
            message.Headers.TryAddWithoutValidation(name, value);
            headers.Add(new(name, value));
        }
    }

    // Sets everything except date and signature. Collects every header that is signed so far.
    private static HttpRequestMessage Unsigned(BlobCall call, Action? halfSent, List<KeyValuePair<string, string>> headers)
    {
        // The path is signed as it is sent, so it must not be normalised on the way.
        var address = new Uri(call.Address, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
        var message = new HttpRequestMessage(call.Method, address);
        if (call.Content is { } content)
        {
            message.Content = halfSent is null ? new ReadOnlyMemoryContent(content) : new ObservedContent(content, halfSent);
            message.Content.Headers.ContentLength = content.Length;
            headers.Add(new("Content-Length", content.Length.ToString(CultureInfo.InvariantCulture)));
            if (call.ContentType is { } type)
            {
                message.Content.Headers.TryAddWithoutValidation("Content-Type", type);
                headers.Add(new("Content-Type", type));
            }
        }

        var first = headers.Count;
        if (call.IsBlobUpload)
        {
            headers.Add(new("x-ms-blob-type", "BlockBlob"));
        }

        if (call.Condition.IfAbsent)
        {
            headers.Add(new("If-None-Match", "*"));
        }
        else if (call.Condition.IfMatch is { } etag)
        {
            headers.Add(new("If-Match", $"\"{etag}\""));
        }

        foreach ((var name, var value) in new Entries<string, string>(call.Metadata))
        {
            headers.Add(new(MetadataHeader(name), value));
        }

        for (var at = first; at < headers.Count; at++)
        {
            message.Headers.TryAddWithoutValidation(headers[at].Key, headers[at].Value);
        }

        return message;
    }

    private static string MetadataHeader(string name)
    {
        if (MetadataHeaders.TryGetValue(name, out var header))
        {
            return header;
        }

        header = MetadataPrefix + name;
        if (Interlocked.Increment(ref s_keptNames) <= KeptNames)
        {
            MetadataHeaders[name] = header;
        }

        return header;
    }
}
