using System.Buffers;
using Azure.Core.Amqp;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.Messages;

/// <summary>
/// Bodies of the package's messages as the bytes that the clients pass on. Data, which nearly all bodies are, is handed over as it is;
/// values and sequences take a turn through the package's own encoding.
/// </summary>
internal static class AnnotatedMessages
{
    /// <summary>What the body is, and its bytes.</summary>
    public static (EventBodyKind Kind, ReadOnlyMemory<byte> Body) BodyOf(AmqpAnnotatedMessage message)
    {
        if (message.Body.TryGetData(out var sections) && sections is not null)
        {
            return (EventBodyKind.Data, Join(sections));
        }

        var parts = MessageParts.Of(message.ToBytes().ToMemory());
        return (parts.BodyKind, parts.Body);
    }

    /// <summary>The package's body of such bytes.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the package cannot hold them.</exception>
    public static AmqpMessageBody BodyOf(EventBodyKind kind, ReadOnlyMemory<byte> body)
    {
        if (kind == EventBodyKind.Data)
        {
            return AmqpMessageBody.FromData([body]);
        }

        var message = new ArrayBufferWriter<byte>();
        MessageWriter.WriteBody(message, kind, body);
        try
        {
            return AmqpAnnotatedMessage.FromBytes(BinaryData.FromBytes(message.WrittenMemory)).Body;
        }
        catch (Exception refused) when (refused is not OutOfMemoryException)
        {
            throw new MessagingException(FailureKind.Permanent, $"a body of kind {kind} is not one that the packages can send", refused);
        }
    }

    // One section, which nearly all messages have, is not copied.
    private static ReadOnlyMemory<byte> Join(IEnumerable<ReadOnlyMemory<byte>> sections)
    {
        using var section = sections.GetEnumerator();
        var first = section.MoveNext() ? section.Current : default;
        if (!section.MoveNext())
        {
            return first;
        }

        var joined = new ArrayBufferWriter<byte>();
        joined.Write(first.Span);
        do
        {
            joined.Write(section.Current.Span);
        } while (section.MoveNext());

        return joined.WrittenMemory;
    }
}
