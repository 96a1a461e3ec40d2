namespace EventHubThroughput.Amqp.Framing;

/// <summary>The protocol that a frame belongs to.</summary>
public enum FrameType : byte
{
    /// <summary>AMQP.</summary>
    Amqp = 0,

    /// <summary>SASL.</summary>
    Sasl = 1,
}

/// <summary>One frame. Nothing in it refers to the buffer that it was read from.</summary>
/// <param name="Type">AMQP or SASL.</param>
/// <param name="Channel">The channel. Without meaning for SASL.</param>
/// <param name="Performative">The performative. Null in an empty frame, which is a heartbeat.</param>
/// <param name="Payload">What follows the performative: message bytes in a transfer, else nothing.</param>
public readonly record struct Frame(FrameType Type, ushort Channel, Performative? Performative, ReadOnlyMemory<byte> Payload);
