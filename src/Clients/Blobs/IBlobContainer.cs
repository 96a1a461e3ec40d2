namespace EventHubThroughput.Clients.Blobs;

/// <summary>The properties of a blob, without its content.</summary>
/// <param name="Name">The name, slashes included.</param>
/// <param name="ETag">The version, without quotes.</param>
/// <param name="LastModified">When it was last written, by the store's clock, whole seconds.</param>
/// <param name="ContentLength">The length of the content in bytes.</param>
/// <param name="ContentType">The content type, or null.</param>
/// <param name="Metadata">Metadata by lower-case name.</param>
public sealed record BlobProperties(
    string Name,
    string ETag,
    DateTimeOffset LastModified,
    long ContentLength,
    string? ContentType,
    IReadOnlyDictionary<string, string> Metadata
);

/// <summary>A condition on the blob's present version. <see cref="None"/> writes unconditionally.</summary>
/// <param name="IfMatch">The ETag that the blob must have, or null.</param>
/// <param name="IfAbsent">True when the blob must not exist.</param>
public readonly record struct BlobCondition(string? IfMatch, bool IfAbsent)
{
    /// <summary>No condition.</summary>
    public static BlobCondition None => default;

    /// <summary>The blob must not exist.</summary>
    public static BlobCondition Absent => new(null, true);

    /// <summary>The blob must have this ETag.</summary>
    public static BlobCondition Match(string etag) => new(etag, false);
}

/// <summary>A blob to upload.</summary>
public sealed record BlobUpload
{
    /// <summary>The name, 1 to 1,024 characters, slashes allowed.</summary>
    public required string Name { get; init; }

    /// <summary>The content, at most 256 MiB.</summary>
    public required ReadOnlyMemory<byte> Content { get; init; }

    /// <summary>The content type, printable ASCII without blanks around it. Application/octet-stream unless given.</summary>
    public string? ContentType { get; init; }

    /// <summary>Metadata. Names are C# identifiers, values printable ASCII without blanks around them, all together at most 8 KiB.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>The condition.</summary>
    public BlobCondition Condition { get; init; }

    /// <summary>
    /// Whether a header can carry this value unchanged: printable ASCII, not empty, no blanks around it. Servers remove such blanks, and the signature would
    /// then be wrong.
    /// </summary>
    public static bool CanCarry(string value) =>
        !string.IsNullOrEmpty(value) && value[0] != ' ' && value[^1] != ' ' && !value.AsSpan().ContainsAnyExceptInRange(' ', '~');
}

/// <summary>One container of a storage account. A failed condition throws kind Conflict. A missing container or blob throws kind NotFound.</summary>
public interface IBlobContainer
{
    /// <summary>The container's name.</summary>
    string Name { get; }

    /// <summary>Creates the container. True when it did not exist.</summary>
    Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken);

    /// <summary>Whether the container exists.</summary>
    Task<bool> ExistsAsync(CancellationToken cancellationToken);

    /// <summary>Uploads a block blob in one request. Returns its ETag. Each task is awaited once.</summary>
    ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken);

    /// <summary>Replaces the metadata. Returns the new properties (ETag, LastModified).</summary>
    Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    );

    /// <summary>Reads properties and metadata. Null when there is no such blob.</summary>
    Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken);

    /// <summary>Downloads the whole content.</summary>
    Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken);

    /// <summary>Lists blobs in ordinal order of their names, page by page.</summary>
    IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken);

    /// <summary>Deletes a blob. False when there was none.</summary>
    Task<bool> DeleteAsync(string name, CancellationToken cancellationToken) => DeleteAsync(name, BlobCondition.None, cancellationToken);

    /// <summary>Deletes a blob if its version is the expected one. False when there was none.</summary>
    Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken);
}
