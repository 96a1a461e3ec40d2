using System.Buffers;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>A message, decoded (AMQP 1.0 part 3, 3.2). Application values keep their AMQP types.</summary>
public sealed class AmqpMessage
{
    /// <summary>The header.</summary>
    public MessageHeader? Header { get; set; }

    /// <summary>Annotations for the next hop. The keys are symbols.</summary>
    public AmqpMap? DeliveryAnnotations { get; set; }

    /// <summary>Annotations for the infrastructure. The keys are symbols.</summary>
    public AmqpMap? MessageAnnotations { get; set; }

    /// <summary>The immutable properties.</summary>
    public MessageProperties? Properties { get; set; }

    /// <summary>The application's properties. The keys are strings.</summary>
    public AmqpMap? ApplicationProperties { get; set; }

    /// <summary>The body.</summary>
    public MessageBody Body { get; set; }

    /// <summary>The footer. The keys are symbols.</summary>
    public AmqpMap? Footer { get; set; }

    /// <summary>Decodes a message whose sections may come in any order.</summary>
    /// <param name="encoded">The whole message. Binary values of the result are slices of it.</param>
    /// <exception cref="AmqpException">The bytes are not a message (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static AmqpMessage Decode(ReadOnlyMemory<byte> encoded) => MessageDecoder.Decode(encoded);

    /// <summary>Writes the message, its sections in the order of the specification.</summary>
    public void Encode(IBufferWriter<byte> writer) => MessageEncoder.Encode(this, writer);

    /// <summary>The message in bytes.</summary>
    public ReadOnlyMemory<byte> Encode()
    {
        var buffer = new ArrayBufferWriter<byte>();
        Encode(buffer);
        return buffer.WrittenMemory;
    }
}
