namespace EventHubThroughput.Clients.Blobs;

/// <summary>How messages name what a request is about.</summary>
/// <param name="Container">The container.</param>
/// <param name="Blob">The blob, or null for the container itself.</param>
internal readonly record struct BlobSubject(string Container, string? Blob)
{
    public override string ToString() => Blob is null ? $"container '{Container}'" : $"blob '{Blob}' of container '{Container}'";
}
