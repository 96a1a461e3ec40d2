using System.Globalization;
using System.Text;
using System.Xml;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>
/// Reads the XML of a page in one pass, without building a tree. Unknown elements are skipped. Of several elements with one name the first counts.
/// </summary>
internal sealed class BlobListReader : IDisposable
{
    private const int LargestDepth = 16;

    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        MaxCharactersInDocument = 128L * 1024 * 1024,
    };

    private readonly XmlReader reader;

    public BlobListReader(Stream body) => reader = XmlReader.Create(body, Settings);

    /// <summary>Reads the whole page.</summary>
    /// <exception cref="XmlException">The body is not XML.</exception>
    /// <exception cref="FormatException">The body is not a list, or its elements are nested too deeply.</exception>
    public BlobListPage ReadPage()
    {
        List<BlobProperties>? blobs = null;
        string? marker = null;
        while (Read() && reader.NodeType != XmlNodeType.Element) { }

        ForEachChild(name =>
        {
            switch (name)
            {
                case "Blobs" when blobs is null:
                    blobs = ReadBlobs();
                    break;
                case "NextMarker":
                    marker ??= ReadText();
                    break;
            }
        });

        // What follows the list must be well-formed as well.
        while (Read()) { }

        return new BlobListPage(blobs ?? throw new FormatException("no element Blobs"), string.IsNullOrEmpty(marker) ? null : marker);
    }

    public void Dispose() => reader.Dispose();

    private List<BlobProperties> ReadBlobs()
    {
        List<BlobProperties> blobs = [];
        ForEachChild(name =>
        {
            if (name == "Blob")
            {
                blobs.Add(ReadBlob());
            }
        });
        return blobs;
    }

    private BlobProperties ReadBlob()
    {
        string? blobName = null;
        StandardProperties? properties = null;
        Dictionary<string, string> metadata = new(StringComparer.OrdinalIgnoreCase);
        ForEachChild(name =>
        {
            switch (name)
            {
                case "Name" when blobName is null:
                    // Names with characters that XML cannot represent arrive percent-encoded.
                    var isEncoded = reader.GetAttribute("Encoded") == "true";
                    var text = ReadText();
                    blobName = isEncoded ? Uri.UnescapeDataString(text) : text;
                    break;
                case "Properties":
                    properties ??= ReadProperties();
                    break;
                case "Metadata":
                    ForEachChild(entry => metadata.TryAdd(entry.ToLowerInvariant(), ReadText()));
                    break;
            }
        });

        if (blobName is null || properties is null)
        {
            throw new FormatException(blobName is null ? "a blob without a name" : "a blob without properties");
        }

        return new BlobProperties(
            blobName,
            (properties.ETag ?? string.Empty).Trim('"'),
            DateTimeOffset.ParseExact(properties.LastModified ?? string.Empty, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal),
            long.Parse(properties.ContentLength ?? "0", NumberStyles.None, CultureInfo.InvariantCulture),
            string.IsNullOrEmpty(properties.ContentType) ? null : properties.ContentType,
            metadata
        );
    }

    private StandardProperties ReadProperties()
    {
        StandardProperties properties = new();
        ForEachChild(name =>
        {
            switch (name)
            {
                case "Etag":
                    properties.ETag ??= ReadText();
                    break;
                case "Last-Modified":
                    properties.LastModified ??= ReadText();
                    break;
                case "Content-Length":
                    properties.ContentLength ??= ReadText();
                    break;
                case "Content-Type":
                    properties.ContentType ??= ReadText();
                    break;
            }
        });
        return properties;
    }

    // Of the current element. Unread parts of a child are skipped.
    private void ForEachChild(Action<string> read)
    {
        if (reader.IsEmptyElement)
        {
            return;
        }

        var depth = reader.Depth;
        while (Read() && reader.Depth > depth)
        {
            if (reader.NodeType == XmlNodeType.Element && reader.Depth == depth + 1)
            {
                read(reader.LocalName);
            }
        }
    }

    // All text of the current element.
    private string ReadText()
    {
        if (reader.IsEmptyElement)
        {
            return string.Empty;
        }

        var depth = reader.Depth;
        StringBuilder text = new();
        while (Read() && reader.Depth > depth)
        {
            if (reader.NodeType is XmlNodeType.Text or XmlNodeType.CDATA or XmlNodeType.Whitespace or XmlNodeType.SignificantWhitespace)
            {
                text.Append(reader.Value);
            }
        }

        return text.ToString();
    }

    // Only this method advances the reader, so that the depth of each node is checked.
    private bool Read()
    {
        var hasNode = reader.Read();
        return hasNode && reader.Depth > LargestDepth ? throw new FormatException($"elements nested more than {LargestDepth} deep") : hasNode;
    }

    private sealed class StandardProperties
    {
        public string? ETag { get; set; }

        public string? LastModified { get; set; }

        public string? ContentLength { get; set; }

        public string? ContentType { get; set; }
    }
}
