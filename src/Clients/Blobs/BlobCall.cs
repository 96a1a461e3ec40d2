using System.Globalization;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>One request as it is meant, from which every try makes its own message.</summary>
internal sealed record BlobCall
{
    public const string Octets = "application/octet-stream";

    public required HttpMethod Method { get; init; }

    /// <summary>The whole address, percent-encoded as it goes over the wire.</summary>
    public required string Address { get; init; }

    public required string Container { get; init; }

    /// <summary>The blob, or null for the container itself.</summary>
    public string? Blob { get; init; }

    /// <summary>The body; null for requests without one.</summary>
    public ReadOnlyMemory<byte>? Content { get; init; }

    public string? ContentType { get; init; }

    public bool IsBlobUpload { get; init; }

    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    public BlobCondition Condition { get; init; }

    /// <summary>What the request is about, for messages.</summary>
    public BlobSubject Subject => new(Container, Blob);

    /// <summary>Makes a message, but for its date and signature.</summary>
    /// <param name="halfSent">Called when half of the body is on its way; null when nobody wants to know.</param>
    /// <param name="headers">Is given every header that the message has and that is signed.</param>
    public HttpRequestMessage CreateMessage(Action? halfSent, List<KeyValuePair<string, string>> headers)
    {
        // The path is signed as it is sent, so it must not be normalised on the way.
        var address = new Uri(Address, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
        var message = new HttpRequestMessage(Method, address);
        if (Content is { } content)
        {
            message.Content = halfSent is null ? new ReadOnlyMemoryContent(content) : new ObservedContent(content, halfSent);
            message.Content.Headers.ContentLength = content.Length;
            headers.Add(new("Content-Length", content.Length.ToString(CultureInfo.InvariantCulture)));
            if (ContentType is not null)
            {
                message.Content.Headers.TryAddWithoutValidation("Content-Type", ContentType);
                headers.Add(new("Content-Type", ContentType));
            }
        }

        var first = headers.Count;
        if (IsBlobUpload)
        {
            headers.Add(new("x-ms-blob-type", "BlockBlob"));
        }

        if (Condition.IfAbsent)
        {
            headers.Add(new("If-None-Match", "*"));
        }
        else if (Condition.IfMatch is { } etag)
        {
            headers.Add(new("If-Match", $"\"{etag}\""));
        }

        foreach ((var name, var value) in new Entries<string, string>(Metadata))
        {
            headers.Add(new(MetadataHeaders.Of(name), value));
        }

        for (var at = first; at < headers.Count; at++)
        {
            message.Headers.TryAddWithoutValidation(headers[at].Key, headers[at].Value);
        }

        return message;
    }
}
