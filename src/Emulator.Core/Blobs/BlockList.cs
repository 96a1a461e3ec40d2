using System.Globalization;
using System.Xml;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A block of a list, and where it may come from.</summary>
internal readonly record struct BlockReference(string Id, bool Uncommitted, bool Committed);

/// <summary>The body of Put Block List, and that of the answer to Get Block List.</summary>
internal static class BlockList
{
    private const int Limit = 50_000;

    // No entities and no external resources: the body is untrusted.
    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        IgnoreWhitespace = true,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        CloseInput = true,
    };

    public static BlobFailure? TryRead(byte[] body, out List<BlockReference> list)
    {
        list = [];
        try
        {
            using var reader = Open(body);
            reader.MoveToContent();
            if (reader.IsEmptyElement && reader.Name == "BlockList")
            {
                return null;
            }

            reader.ReadStartElement("BlockList");
            while (reader.NodeType == XmlNodeType.Element)
            {
                (var uncommitted, var committed) = (reader.Name is "Latest" or "Uncommitted", reader.Name is "Latest" or "Committed");
                if (!uncommitted && !committed)
                {
                    return BlobFailure.InvalidXml;
                }

                list.Add(new BlockReference(reader.ReadElementContentAsString().Trim(), uncommitted, committed));
                if (list.Count > Limit)
                {
                    return BlobFailure.InvalidBlockList;
                }
            }

            reader.ReadEndElement();
            return null;
        }
        catch (XmlException)
        {
            return BlobFailure.InvalidXml;
        }
    }

    /// <summary>Opens a body that should be XML.</summary>
    public static XmlReader Open(byte[] body) => XmlReader.Create(new MemoryStream(body, writable: false), Settings);

    /// <summary>Writes one part for each requested kind, also without blocks. Returns each block as it is written.</summary>
    public static IEnumerable<BlobBlock> Write(XmlWriter writer, IEnumerable<BlobBlock>? committed, IEnumerable<BlobBlock>? uncommitted)
    {
        writer.WriteStartElement("BlockList");
        foreach ((var name, var blocks) in new[] { ("CommittedBlocks", committed), ("UncommittedBlocks", uncommitted) })
        {
            if (blocks is null)
            {
                continue;
            }

            writer.WriteStartElement(name);
            foreach (var block in blocks)
            {
                writer.WriteStartElement("Block");
                writer.WriteElementString("Name", block.Id);
                writer.WriteElementString("Size", block.Length.ToString(CultureInfo.InvariantCulture));
                writer.WriteEndElement();
                yield return block;
            }

            writer.WriteFullEndElement();
        }

        writer.WriteEndElement();
    }
}
