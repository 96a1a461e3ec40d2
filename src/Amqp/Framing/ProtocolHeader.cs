using System.Buffers;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The eight bytes with which each side of a connection begins each protocol layer (AMQP 1.0 part 2, 2.2).</summary>
/// <param name="ProtocolId">0 AMQP, 2 TLS, 3 SASL.</param>
/// <param name="Major">The major version.</param>
/// <param name="Minor">The minor version.</param>
/// <param name="Revision">The revision.</param>
public readonly record struct ProtocolHeader(byte ProtocolId, byte Major, byte Minor, byte Revision)
{
    /// <summary>The length of a header in bytes.</summary>
    public const int Length = 8;

    /// <summary>AMQP 1.0.0.</summary>
    public static ProtocolHeader Amqp { get; } = new(0, 1, 0, 0);

    /// <summary>SASL for AMQP 1.0.0.</summary>
    public static ProtocolHeader Sasl { get; } = new(3, 1, 0, 0);

    /// <summary>Removes a header from the front of a buffer.</summary>
    /// <param name="buffer">The buffer. Afterwards it begins after the header.</param>
    /// <param name="header">The header, of any protocol and version.</param>
    /// <returns>False when too few bytes have arrived yet.</returns>
    /// <exception cref="AmqpException">The bytes do not begin with "AMQP" (<see cref="ErrorCondition.FramingError"/>).</exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, out ProtocolHeader header)
    {
        header = default;
        Span<byte> bytes = stackalloc byte[Length];
        var present = (int)Math.Min(buffer.Length, Length);
        buffer.Slice(0, present).CopyTo(bytes);

        // A peer of another protocol may never send eight bytes, so the bytes that are there are checked.
        var name = bytes[..Math.Min(present, 4)];
        if (!"AMQP"u8.StartsWith(name))
        {
            throw AmqpException.Framing("The peer does not begin with an AMQP protocol header.");
        }

        if (present < Length)
        {
            return false;
        }

        header = new ProtocolHeader(bytes[4], bytes[5], bytes[6], bytes[7]);
        buffer = buffer.Slice(Length);
        return true;
    }

    /// <summary>Writes the header.</summary>
    public void Write(IBufferWriter<byte> output)
    {
        var bytes = output.GetSpan(Length);
        "AMQP"u8.CopyTo(bytes);
        bytes[4] = ProtocolId;
        bytes[5] = Major;
        bytes[6] = Minor;
        bytes[7] = Revision;
        output.Advance(Length);
    }
}
