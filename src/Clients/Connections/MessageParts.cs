using System.Runtime.InteropServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Connections;

/// <summary>A split message: values that a client needs are decoded, the rest are slices of the received bytes.</summary>
[StructLayout(LayoutKind.Auto)]
internal readonly struct MessageParts
{
    public EncodedMap Annotations { get; private init; }

    public EncodedMessageProperties Properties { get; private init; }

    public uint DeliveryCount { get; private init; }

    /// <summary>The encoded map of application properties. Empty when there is no such section.</summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; private init; }

    public ReadOnlyMemory<byte> Body { get; private init; }

    public EventBodyKind BodyKind { get; private init; }

    /// <summary>Splits a message. Sections may come in any order.</summary>
    /// <exception cref="Amqp.AmqpException">The bytes are not a message.</exception>
    public static MessageParts Of(ReadOnlyMemory<byte> message)
    {
        MessageParts parts = default;
        List<ReadOnlyMemory<byte>>? more = null;
        while (MessageSections.TryTake(ref message, out var section))
        {
            switch (section.Code)
            {
                case SectionCode.Header:
                    parts = parts with { DeliveryCount = AmqpMessage.Decode(section.Encoded).Header?.DeliveryCount ?? 0 };
                    break;
                case SectionCode.MessageAnnotations:
                    parts = parts with { Annotations = new EncodedMap(section.Value) };
                    break;
                case SectionCode.Properties:
                    parts = parts with { Properties = new EncodedMessageProperties(section.Value) };
                    break;
                case SectionCode.ApplicationProperties:
                    parts = parts with { EncodedProperties = section.Value };
                    break;
                case SectionCode.Data:
                    parts = parts.WithBody(EventBodyKind.Data, MessageSections.BinaryOf(section), ref more);
                    break;
                case SectionCode.Sequence:
                    parts = parts.WithBody(EventBodyKind.Sequence, section.Encoded, ref more);
                    break;
                case SectionCode.Value:
                    parts = parts with { Body = section.Value, BodyKind = EventBodyKind.Value };
                    break;
                default:
                    break;
            }
        }

        return more is null ? parts : parts with { Body = Join(more) };
    }

    // One section is a slice. Only several sections are copied together.
    private MessageParts WithBody(EventBodyKind kind, ReadOnlyMemory<byte> content, ref List<ReadOnlyMemory<byte>>? more)
    {
        if (Body.IsEmpty && more is null)
        {
            return this with { Body = content, BodyKind = kind };
        }

        more ??= [Body];
        more.Add(content);
        return this;
    }

    private static byte[] Join(List<ReadOnlyMemory<byte>> sections)
    {
        var joined = new byte[sections.Sum(static section => section.Length)];
        var position = 0;
        foreach (var section in sections)
        {
            section.CopyTo(joined.AsMemory(position));
            position += section.Length;
        }

        return joined;
    }
}
