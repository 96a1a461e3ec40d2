using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>What a container tells of itself, in one version; never changed, only replaced.</summary>
internal sealed record ContainerState(IReadOnlyDictionary<string, string> Metadata, string ETag, DateTimeOffset LastModified)
{
    /// <summary>Who alone may delete it.</summary>
    public Lease? Lease { get; init; }

    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => HttpDate.Format(LastModified);
}
