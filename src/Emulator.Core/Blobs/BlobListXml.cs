using System.Globalization;
using System.Xml;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Writes the bodies of lists. Each method returns its entries as they are written.</summary>
internal static class BlobListXml
{
    public static IEnumerable<BlobEntry> WriteBlobs(
        XmlWriter writer,
        string serviceEndpoint,
        string container,
        BlobListQuery query,
        BlobPage page,
        string? marker,
        string? maximum,
        string nextMarker,
        DateTimeOffset now
    )
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
        foreach (var entry in page.Entries)
        {
            writer.WriteStartElement(entry.IsPrefix ? "BlobPrefix" : "Blob");
            WriteName(writer, entry.Name);
            if (entry.Blob is { } blob)
            {
                WriteBlob(writer, blob, query.Include, now);
            }
            else if (!entry.IsPrefix)
            {
                WriteUncommitted(writer);
            }

            writer.WriteEndElement();
            yield return entry;
        }

        writer.WriteFullEndElement();
        WriteNextMarker(writer, nextMarker);
        writer.WriteEndElement();
    }

    public static IEnumerable<StoredContainer> WriteContainers(
        XmlWriter writer,
        string serviceEndpoint,
        BlobListQuery query,
        IEnumerable<StoredContainer> containers,
        string? marker,
        string? maximum,
        string nextMarker,
        DateTimeOffset now
    )
    {
        writer.WriteStartElement("EnumerationResults");
        writer.WriteAttributeString("ServiceEndpoint", serviceEndpoint);
        WriteFull(writer, "Prefix", Visible(query.Prefix));
        WriteFull(writer, "Marker", marker ?? string.Empty);
        if (maximum is not null)
        {
            WriteFull(writer, "MaxResults", maximum);
        }

        writer.WriteStartElement("Containers");
        foreach (var container in containers)
        {
            var state = container.State;
            writer.WriteStartElement("Container");
            WriteFull(writer, "Name", container.Name);
            writer.WriteStartElement("Properties");
            WriteFull(writer, "Last-Modified", state.LastModifiedText);
            WriteFull(writer, "Etag", state.ETag);
            WriteLease(writer, state.Lease, now);
            WriteFull(writer, "HasImmutabilityPolicy", "false");
            WriteFull(writer, "HasLegalHold", "false");
            writer.WriteEndElement();
            WriteMetadata(writer, state.Metadata, query.Include);
            writer.WriteEndElement();
            yield return container;
        }

        writer.WriteFullEndElement();
        WriteNextMarker(writer, nextMarker);
        writer.WriteEndElement();
    }

    // Every official client reads the attribute, and decodes only if it is present.
    private static void WriteName(XmlWriter writer, string name)
    {
        var isXml = BlobNames.IsXml(name);
        writer.WriteStartElement("Name");
        if (!isXml)
        {
            writer.WriteAttributeString("Encoded", "true");
        }

        writer.WriteString(isXml ? name : Uri.EscapeDataString(name));
        writer.WriteFullEndElement();
    }

    private static void WriteBlob(XmlWriter writer, StoredBlob blob, BlobListParts include, DateTimeOffset now)
    {
        var headers = blob.Content.Headers;
        writer.WriteStartElement("Properties");
        WriteFull(writer, "Creation-Time", Text(blob.CreatedAt));
        WriteFull(writer, "Last-Modified", blob.LastModifiedText);
        WriteFull(writer, "Etag", blob.ETag);
        WriteFull(writer, "Content-Length", blob.Content.Length.ToString(CultureInfo.InvariantCulture));
        WriteFull(writer, "Content-Type", headers.ContentType);
        WriteIfPresent(writer, "Content-Encoding", headers.ContentEncoding);
        WriteIfPresent(writer, "Content-Language", headers.ContentLanguage);
        WriteIfPresent(writer, "Content-MD5", headers.ContentMd5);
        WriteIfPresent(writer, "Content-Disposition", headers.ContentDisposition);
        WriteIfPresent(writer, "Cache-Control", headers.CacheControl);
        WriteFull(writer, "BlobType", "BlockBlob");
        WriteFull(writer, "AccessTier", BlobAnswer.AccessTier);
        WriteFull(writer, "AccessTierInferred", "true");
        WriteLease(writer, blob.Lease, now);
        WriteFull(writer, "ServerEncrypted", "true");
        if (include.HasFlag(BlobListParts.Copy) && blob.Content.Copy is { } copy)
        {
            WriteFull(writer, "CopyId", copy.Id);
            WriteFull(writer, "CopyStatus", "success");
            WriteFull(writer, "CopySource", copy.Source);
            WriteFull(writer, "CopyProgress", string.Create(CultureInfo.InvariantCulture, $"{blob.Content.Length}/{blob.Content.Length}"));
            WriteFull(writer, "CopyCompletionTime", Text(copy.CompletedAt));
        }

        writer.WriteEndElement();
        WriteMetadata(writer, blob.Content.Metadata, include);
    }

    private static void WriteUncommitted(XmlWriter writer)
    {
        writer.WriteStartElement("Properties");
        WriteFull(writer, "Content-Length", "0");
        WriteFull(writer, "BlobType", "BlockBlob");
        writer.WriteEndElement();
    }

    private static void WriteLease(XmlWriter writer, Lease? lease, DateTimeOffset now)
    {
        (var state, var status, var duration) = Lease.Describe(lease, now);
        WriteFull(writer, "LeaseStatus", status);
        WriteFull(writer, "LeaseState", state);
        WriteIfPresent(writer, "LeaseDuration", duration);
    }

    private static void WriteMetadata(XmlWriter writer, IReadOnlyDictionary<string, string> metadata, BlobListParts include)
    {
        if (!include.HasFlag(BlobListParts.Metadata))
        {
            return;
        }

        writer.WriteStartElement("Metadata");
        foreach ((var name, var value) in metadata)
        {
            WriteFull(writer, name, value);
        }

        writer.WriteFullEndElement();
    }

    private static void WriteIfPresent(XmlWriter writer, string name, string? value)
    {
        if (value is not null)
        {
            WriteFull(writer, name, value);
        }
    }

    private static string Text(DateTimeOffset time) => time.ToString("R", CultureInfo.InvariantCulture);

    // An empty element needs an end tag: the official clients read <ownerid /> as absent.
    private static void WriteFull(XmlWriter writer, string name, string value)
    {
        writer.WriteStartElement(name);
        writer.WriteString(value);
        writer.WriteFullEndElement();
    }

    // This one is different: Java's client requests pages until it reads this element as absent.
    private static void WriteNextMarker(XmlWriter writer, string marker) => writer.WriteElementString("NextMarker", marker);

    // The answer repeats the text of the request, if XML can contain it.
    private static string Visible(string text) => BlobNames.IsXml(text) ? text : string.Empty;
}
