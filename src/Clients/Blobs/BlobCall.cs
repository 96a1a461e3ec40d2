namespace EventHubThroughput.Clients.Blobs;

/// <summary>One request, from which every try creates a message.</summary>
internal sealed record BlobCall
{
    public const string Octets = "application/octet-stream";

    public required HttpMethod Method { get; init; }

    /// <summary>The whole address, percent-encoded as on the wire.</summary>
    public required string Address { get; init; }

    public required string Container { get; init; }

    /// <summary>The blob, or null for the container itself.</summary>
    public string? Blob { get; init; }

    /// <summary>The body. Null for requests without one.</summary>
    public ReadOnlyMemory<byte>? Content { get; init; }

    public string? ContentType { get; init; }

    public bool IsBlobUpload { get; init; }

    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    public BlobCondition Condition { get; init; }

    /// <summary>The subject of the request, for messages.</summary>
    public BlobSubject Subject => new(Container, Blob);
}

/// <summary>The subject of a request in messages.</summary>
/// <param name="Container">The container.</param>
/// <param name="Blob">The blob, or null for the container itself.</param>
internal readonly record struct BlobSubject(string Container, string? Blob)
{
    public override string ToString() => Blob is null ? $"container '{Container}'" : $"blob '{Blob}' of container '{Container}'";
}
