using System.Text;
using System.Xml;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A part of a body. Its bytes belong to the writer, and the next step overwrites them.</summary>
internal readonly record struct XmlStep(ReadOnlyMemory<byte> Bytes, bool IsLast);

/// <summary>Writes an XML body in steps. For a slow reader only one step is in memory, not the whole body.</summary>
internal static class XmlSteps
{
    private const int Length = 64 * 1024;

    // Otherwise a carriage return in a name would be read as a line feed.
    private static readonly XmlWriterSettings Settings = new()
    {
        Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
        NewLineHandling = NewLineHandling.Entitize,
    };

    /// <summary>The steps of a body.</summary>
    /// <param name="write">Writes the body and returns each entry after writing it.</param>
    public static IEnumerable<XmlStep> Of<T>(Func<XmlWriter, IEnumerable<T>> write)
    {
        using MemoryStream waiting = new();
        using (var writer = XmlWriter.Create(waiting, Settings))
        {
            foreach (var _ in write(writer))
            {
                if (waiting.Length >= Length)
                {
                    yield return new XmlStep(Written(waiting), IsLast: false);
                    waiting.SetLength(0);
                }
            }
        }

        yield return new XmlStep(Written(waiting), IsLast: true);
    }

    private static ReadOnlyMemory<byte> Written(MemoryStream stream) => stream.GetBuffer().AsMemory(0, (int)stream.Length);
}
