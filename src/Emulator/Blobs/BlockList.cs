using System.Xml;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A block named by a list, and where it may come from.</summary>
internal readonly record struct BlockReference(string Id, bool Uncommitted, bool Committed);

/// <summary>Reads the body of Put Block List.</summary>
internal static class BlockList
{
    private const int Limit = 50_000;

    public static BlobFailure? TryRead(byte[] body, out List<BlockReference> list)
    {
        list = [];
        XmlReaderSettings settings = new()
        {
            DtdProcessing = DtdProcessing.Prohibit,
            XmlResolver = null,
            IgnoreWhitespace = true,
            IgnoreComments = true,
            IgnoreProcessingInstructions = true,
        };
        try
        {
            using MemoryStream stream = new(body, writable: false);
            using XmlReader reader = XmlReader.Create(stream, settings);
            reader.MoveToContent();
            if (reader.IsEmptyElement && reader.Name == "BlockList")
            {
                return null;
            }

            reader.ReadStartElement("BlockList");
            while (reader.NodeType == XmlNodeType.Element)
            {
                (bool uncommitted, bool committed) = (reader.Name is "Latest" or "Uncommitted", reader.Name is "Latest" or "Committed");
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
}
