using System.Buffers;
using Azure.Core.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.Messages;

/// <summary>
/// Bodies and properties of the package's messages as the bytes that the clients pass on. Data, the kind of nearly all bodies, is passed unchanged. Values
/// and sequences are encoded by the package.
/// </summary>
internal static class AnnotatedMessages
{
    /// <summary>The kind of the body, and its bytes.</summary>
    public static (EventBodyKind Kind, ReadOnlyMemory<byte> Body) GetBody(AmqpAnnotatedMessage message)
    {
        if (message.Body.TryGetData(out var sections) && sections is not null)
        {
            return (EventBodyKind.Data, Join(sections));
        }

        var parts = MessageParts.Of(message.ToBytes().ToMemory());
        return (parts.BodyKind, parts.Body);
    }

    /// <summary>The application properties, encoded. Empty for none.</summary>
    /// <param name="message">The package's message.</param>
    /// <param name="place">The place of the message.</param>
    /// <param name="what">Names the event or message at that place, for a failure.</param>
    /// <exception cref="MessagingException">Kind Permanent when the conversion would lose a property.</exception>
    public static ReadOnlyMemory<byte> GetProperties<T>(AmqpAnnotatedMessage message, T place, Func<T, string> what)
    {
        // The package would create a missing section on access.
        if (!message.HasSection(AmqpMessageSection.ApplicationProperties))
        {
            return default;
        }

        try
        {
            return RememberedProperties.Encode(message.ApplicationProperties);
        }
        catch (MessagingException lost)
        {
            throw new MessagingException(lost.Kind, $"{what(place)}: {lost.Message}", lost);
        }
    }

    /// <summary>The package's body for these bytes.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the package cannot represent them.</exception>
    public static AmqpMessageBody GetBody(EventBodyKind kind, ReadOnlyMemory<byte> body)
    {
        if (kind == EventBodyKind.Data)
        {
            return AmqpMessageBody.FromData([body]);
        }

        var message = new ArrayBufferWriter<byte>();
        MessageWriter.WriteBody(message, kind, body);
        try
        {
            var converted = AmqpAnnotatedMessage.FromBytes(BinaryData.FromBytes(message.WrittenMemory));
            return AreSame(message.WrittenMemory, converted.ToBytes().ToMemory())
                ? converted.Body
                : throw new MessagingException(FailureKind.Permanent, $"a body of kind {kind} is one that the packages would send as another one");
        }
        catch (Exception refused) when (refused is not (OutOfMemoryException or MessagingException))
        {
            throw new MessagingException(FailureKind.Permanent, $"a body of kind {kind} is not one that the packages can send", refused);
        }
    }

    // The packages may choose another encoding of a value, but they also replace some values: null, decimals, times before 1970.
    private static bool AreSame(ReadOnlyMemory<byte> wanted, ReadOnlyMemory<byte> sent) =>
        sent.Span.SequenceEqual(wanted.Span) || AmqpMessage.Decode(sent).Encode().Span.SequenceEqual(AmqpMessage.Decode(wanted).Encode().Span);

    // A single section, which nearly all messages have, is not copied.
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
