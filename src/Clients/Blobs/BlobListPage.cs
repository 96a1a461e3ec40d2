using System.Xml;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>One page of a list as the service sends it.</summary>
/// <param name="Blobs">The blobs with their metadata.</param>
/// <param name="NextMarker">The start of the next page. Null at the end.</param>
internal sealed record BlobListPage(IReadOnlyList<BlobProperties> Blobs, string? NextMarker)
{
    /// <summary>Reads the body of a page.</summary>
    /// <param name="body">The body.</param>
    /// <param name="container">The container, for messages.</param>
    /// <exception cref="MessagingException">The body is not a list.</exception>
    public static BlobListPage Parse(Stream body, string container)
    {
        try
        {
            using BlobListReader reader = new(body);
            return reader.ReadPage();
        }
        catch (Exception exception) when (exception is XmlException or FormatException)
        {
            throw new MessagingException(FailureKind.Permanent, $"container '{container}': the list cannot be read", exception);
        }
    }
}
