using System.Buffers;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>Encodes single sections, to be put between sections that are passed on as they came.</summary>
internal static class Sections
{
    public static ReadOnlyMemory<byte> OfHeader(MessageHeader header) => new AmqpMessage { Header = header }.Encode();

    public static ReadOnlyMemory<byte> OfDeliveryAnnotations(AmqpMap annotations) => new AmqpMessage { DeliveryAnnotations = annotations }.Encode();

    public static ReadOnlyMemory<byte> OfMessageAnnotations(AmqpMap annotations) => new AmqpMessage { MessageAnnotations = annotations }.Encode();

    public static ReadOnlyMemory<byte> OfProperties(MessageProperties properties) => new AmqpMessage { Properties = properties }.Encode();

    public static ReadOnlyMemory<byte> OfApplicationProperties(AmqpMap properties) => new AmqpMessage { ApplicationProperties = properties }.Encode();

    /// <summary>The annotations a client gave, with the service's in place of its own of the same name.</summary>
    public static AmqpMap Merge(AmqpMap? given, AmqpMap service)
    {
        var merged = new AmqpMap();
        foreach (var (key, value) in service)
        {
            merged[key] = value;
        }

        if (given is not null)
        {
            foreach (var (key, value) in given)
            {
                // Keys are symbols by the standard. One that came as a string must not shadow the service's.
                var symbol = key is string text && System.Text.Ascii.IsValid(text) ? new AmqpSymbol(text) : key;
                if (!merged.ContainsKey(symbol))
                {
                    merged[symbol] = value;
                }
            }
        }

        return merged;
    }

    public static byte[] Join(params ReadOnlySpan<ReadOnlyMemory<byte>> parts)
    {
        var length = 0;
        foreach (var part in parts)
        {
            length += part.Length;
        }

        var joined = new byte[length];
        var at = 0;
        foreach (var part in parts)
        {
            part.Span.CopyTo(joined.AsSpan(at));
            at += part.Length;
        }

        return joined;
    }

    public static ReadOnlyMemory<byte> JoinBody(IReadOnlyList<MessageSection> body)
    {
        if (body.Count == 1)
        {
            return body[0].Encoded;
        }

        var joined = new ArrayBufferWriter<byte>();
        foreach (var section in body)
        {
            joined.Write(section.Encoded.Span);
        }

        return joined.WrittenMemory;
    }
}
