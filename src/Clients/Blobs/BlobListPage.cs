using System.Globalization;
using System.Xml;
using System.Xml.Linq;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>One page of a list as the service sends it.</summary>
/// <param name="Blobs">The blobs with their metadata.</param>
/// <param name="NextMarker">Where the next page begins; null at the end.</param>
internal sealed record BlobListPage(IReadOnlyList<BlobProperties> Blobs, string? NextMarker)
{
    private const int LargestDepth = 16;

    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        MaxCharactersInDocument = 128L * 1024 * 1024,
    };

    /// <summary>Reads the body of a page.</summary>
    /// <param name="body">The body, which can be read twice.</param>
    /// <param name="container">The container, for messages.</param>
    /// <exception cref="MessagingException">It is not a list.</exception>
    public static BlobListPage Parse(Stream body, string container)
    {
        try
        {
            CheckDepth(body);
            body.Position = 0;
            using var reader = XmlReader.Create(body, Settings);
            var root = XElement.Load(reader);
            BlobProperties[] blobs = [.. (root.Element("Blobs") ?? throw new FormatException("no element Blobs")).Elements("Blob").Select(ParseBlob)];
            var marker = (string?)root.Element("NextMarker");
            return new BlobListPage(blobs, string.IsNullOrEmpty(marker) ? null : marker);
        }
        catch (Exception exception) when (exception is XmlException or FormatException)
        {
            throw new MessagingException(FailureKind.Permanent, $"container '{container}': the list cannot be read", exception);
        }
    }

    // Before a tree is built of it: that takes the square of the depth, and reading the text of an element takes a stack as deep.
    private static void CheckDepth(Stream body)
    {
        using var reader = XmlReader.Create(body, Settings);
        while (reader.Read())
        {
            if (reader.Depth > LargestDepth)
            {
                throw new FormatException($"elements nested more than {LargestDepth} deep");
            }
        }
    }

    private static BlobProperties ParseBlob(XElement blob)
    {
        var name = blob.Element("Name") ?? throw new FormatException("a blob without a name");
        var properties = blob.Element("Properties") ?? throw new FormatException("a blob without properties");
        var metadata = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var entry in blob.Element("Metadata")?.Elements() ?? [])
        {
            metadata[entry.Name.LocalName.ToLowerInvariant()] = entry.Value;
        }

        // Names with characters that XML has no form for arrive percent-encoded.
        var encoded = (string?)name.Attribute("Encoded") == "true";
        return new BlobProperties(
            encoded ? Uri.UnescapeDataString(name.Value) : name.Value,
            ((string?)properties.Element("Etag") ?? string.Empty).Trim('"'),
            DateTimeOffset.ParseExact(
                (string?)properties.Element("Last-Modified") ?? string.Empty,
                "R",
                CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal
            ),
            long.Parse((string?)properties.Element("Content-Length") ?? "0", NumberStyles.None, CultureInfo.InvariantCulture),
            (string?)properties.Element("Content-Type") is { Length: > 0 } type ? type : null,
            metadata
        );
    }
}
