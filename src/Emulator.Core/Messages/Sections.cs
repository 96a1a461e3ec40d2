using System.Buffers;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>Encodes single sections, to be placed between unchanged ones.</summary>
internal static class Sections
{
    public static ReadOnlyMemory<byte> OfHeader(MessageHeader header) => new AmqpMessage { Header = header }.Encode();

    public static ReadOnlyMemory<byte> OfDeliveryAnnotations(AmqpMap annotations) => new AmqpMessage { DeliveryAnnotations = annotations }.Encode();

    public static ReadOnlyMemory<byte> OfMessageAnnotations(AmqpMap annotations) => new AmqpMessage { MessageAnnotations = annotations }.Encode();

    public static ReadOnlyMemory<byte> OfProperties(MessageProperties properties) => new AmqpMessage { Properties = properties }.Encode();

    public static ReadOnlyMemory<byte> OfApplicationProperties(AmqpMap properties) => new AmqpMessage { ApplicationProperties = properties }.Encode();

    /// <summary>Merges the annotations of a client with those of the service. The service's replace those with the same name.</summary>
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
                // The standard requires symbols as keys. A key that arrived as a string must not hide the service's key.
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
