using System.Globalization;
using System.Xml;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The bodies of lists.</summary>
internal static class BlobListXml
{
    public static void WriteBlobs(
        XmlWriter writer, string serviceEndpoint, string container, BlobListQuery query, BlobPage page, string? marker, string? maximum, string nextMarker)
    {
        writer.WriteStartElement("EnumerationResults");
        writer.WriteAttributeString("ServiceEndpoint", serviceEndpoint);
        writer.WriteAttributeString("ContainerName", container);
        WriteFull(writer, "Prefix", Visible(query.Prefix));
        WriteFull(writer, "Marker", marker ?? string.Empty);
        if (maximum is not null)
        {
            WriteFull(writer, "MaxResults", maximum);
        }

        if (query.Delimiter is { Length: > 0 } delimiter)
        {
            WriteFull(writer, "Delimiter", Visible(delimiter));
        }

        writer.WriteStartElement("Blobs");
        foreach (BlobEntry entry in page.Entries)
        {
            writer.WriteStartElement(entry.Blob is null ? "BlobPrefix" : "Blob");
            WriteFull(writer, "Name", entry.Name);
            if (entry.Blob is { } blob)
            {
                WriteBlob(writer, blob, query.Metadata);
            }

            writer.WriteEndElement();
        }

        writer.WriteFullEndElement();
        WriteFull(writer, "NextMarker", nextMarker);
        writer.WriteEndElement();
    }

    public static void WriteContainers(
        XmlWriter writer, string serviceEndpoint, BlobListQuery query, IEnumerable<StoredContainer> containers, string nextMarker)
    {
        writer.WriteStartElement("EnumerationResults");
        writer.WriteAttributeString("ServiceEndpoint", serviceEndpoint);
        WriteFull(writer, "Prefix", Visible(query.Prefix));
        writer.WriteStartElement("Containers");
        foreach (StoredContainer container in containers)
        {
            writer.WriteStartElement("Container");
            WriteFull(writer, "Name", container.Name);
            writer.WriteStartElement("Properties");
            WriteFull(writer, "Last-Modified", container.LastModifiedText);
            WriteFull(writer, "Etag", container.ETag);
            WriteFull(writer, "LeaseStatus", "unlocked");
            WriteFull(writer, "LeaseState", "available");
            writer.WriteEndElement();
            WriteMetadata(writer, container.Metadata, query.Metadata);
            writer.WriteEndElement();
        }

        writer.WriteFullEndElement();
        WriteFull(writer, "NextMarker", nextMarker);
        writer.WriteEndElement();
    }

    private static void WriteBlob(XmlWriter writer, StoredBlob blob, bool metadata)
    {
        writer.WriteStartElement("Properties");
        WriteFull(writer, "Creation-Time", blob.CreatedAt.ToString("R", CultureInfo.InvariantCulture));
        WriteFull(writer, "Last-Modified", blob.LastModifiedText);
        WriteFull(writer, "Etag", blob.ETag);
        WriteFull(writer, "Content-Length", blob.Content.Bytes.Length.ToString(CultureInfo.InvariantCulture));
        WriteFull(writer, "Content-Type", blob.Content.Headers.ContentType);
        if (blob.Content.Headers.ContentMd5 is { } md5)
        {
            WriteFull(writer, "Content-MD5", md5);
        }

        WriteFull(writer, "BlobType", "BlockBlob");
        WriteFull(writer, "LeaseStatus", "unlocked");
        WriteFull(writer, "LeaseState", "available");
        writer.WriteEndElement();
        WriteMetadata(writer, blob.Content.Metadata, metadata);
    }

    private static void WriteMetadata(XmlWriter writer, IReadOnlyDictionary<string, string> metadata, bool shown)
    {
        if (!shown)
        {
            return;
        }

        writer.WriteStartElement("Metadata");
        foreach ((string name, string value) in metadata)
        {
            WriteFull(writer, name, value);
        }

        writer.WriteFullEndElement();
    }

    // An empty element needs its end tag: the official clients read <ownerid /> as absent.
    private static void WriteFull(XmlWriter writer, string name, string value)
    {
        writer.WriteStartElement(name);
        writer.WriteString(value);
        writer.WriteFullEndElement();
    }

    // What the request says comes back, as far as XML can show it.
    private static string Visible(string text) => BlobNames.IsBlob(text) ? text : string.Empty;
}
