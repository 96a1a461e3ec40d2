using System.Xml;
using System.Xml.Linq;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Reads the body of a request. It may not refer to other resources, or be larger or deeper than a description.</summary>
internal static class AtomDocument
{
    private const int LargestDepth = 16;
    private const int MostElements = 20_000;

    /// <summary>The description inside the entry.</summary>
    /// <exception cref="AtomException">The body is not an entry with a description.</exception>
    public static XElement ReadDescription(byte[] body)
    {
        try
        {
            CheckShape(body);
            using var reader = Open(body);
            return
                XElement.Load(reader) is { } entry
                && entry.Name == AtomNames.Atom + "entry"
                && entry.Element(AtomNames.Atom + "content")?.Elements().FirstOrDefault(static element => element.Name.Namespace == AtomNames.ServiceBus)
                    is { } description
                ? description
                : throw new AtomException(400, "The body is not an Atom entry whose content is a description.");
        }
        catch (XmlException exception)
        {
            throw new AtomException(
                400,
                $"The body is not well-formed XML, or contains XML that is not allowed (line {exception.LineNumber}, position {exception.LinePosition})."
            );
        }
    }

    private static XmlReader Open(byte[] body) =>
        XmlReader.Create(
            new MemoryStream(body, writable: false),
            new XmlReaderSettings
            {
                DtdProcessing = DtdProcessing.Prohibit,
                XmlResolver = null,
                IgnoreComments = true,
                IgnoreProcessingInstructions = true,
                CloseInput = true,
            }
        );

    // Runs before any element is built.
    private static void CheckShape(byte[] body)
    {
        using var reader = Open(body);
        for (var elements = 0; reader.Read(); )
        {
            elements += reader.NodeType == XmlNodeType.Element ? 1 + reader.AttributeCount : 0;
            if (reader.Depth > LargestDepth || elements > MostElements)
            {
                throw new AtomException(400, $"The body is nested more than {LargestDepth} deep or has more than {MostElements} elements.");
            }
        }
    }
}

/// <summary>A request is refused.</summary>
internal sealed class AtomException(int status, string message) : Exception(message)
{
    public int Status { get; } = status;
}
