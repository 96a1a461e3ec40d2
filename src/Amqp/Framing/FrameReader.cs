using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Reads frames from a stream of bytes (AMQP 1.0 part 2, 2.3).</summary>
public static class FrameReader
{
    /// <summary>The length of a frame's header in bytes.</summary>
    public const int HeaderLength = 8;

    /// <summary>The frame size that every peer accepts, and the limit before open and for SASL, in bytes.</summary>
    public const uint MinMaxFrameSize = 512;

    // How practically every peer writes the start of a transfer.
    private static ReadOnlySpan<byte> TransferStart => [FormatCode.Described, FormatCode.SmallULong, (byte)Descriptor.Transfer];

    /// <summary>Removes one frame from the front of a buffer.</summary>
    /// <param name="buffer">The buffer. Afterwards it begins after the frame.</param>
    /// <param name="maxFrameSize">The largest frame that was announced, in bytes.</param>
    /// <param name="frame">The frame. Its bytes are a copy.</param>
    /// <returns>False when the frame is incomplete.</returns>
    /// <exception cref="AmqpException">The frame is malformed or over the limit (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, uint maxFrameSize, out Frame frame) => TryRead(ref buffer, maxFrameSize, null, out frame);

    /// <summary>
    /// As <see cref="TryRead(ref ReadOnlySequence{byte}, uint, out Frame)"/>. Frames that come with every message are read into objects that the caller no
    /// longer uses at the next call.
    /// </summary>
    internal static bool TryRead(ref ReadOnlySequence<byte> buffer, uint maxFrameSize, ReusedPerformatives? reused, out Frame frame)
    {
        frame = default;
        if (buffer.Length < HeaderLength)
        {
            return false;
        }

        Span<byte> header = stackalloc byte[HeaderLength];
        buffer.Slice(0, HeaderLength).CopyTo(header);
        var size = BinaryPrimitives.ReadUInt32BigEndian(header);
        var type = CheckHeader(header, size, maxFrameSize);
        if (buffer.Length < size)
        {
            return false;
        }

        var body = buffer.Slice(header[4] * 4, size - (header[4] * 4u));
        frame = DecodeBody(type, BinaryPrimitives.ReadUInt16BigEndian(header[6..]), body, reused);
        buffer = buffer.Slice(size);
        return true;
    }

    /// <summary>Decodes exactly one frame.</summary>
    /// <param name="encoded">The frame, whole, and nothing else.</param>
    /// <exception cref="AmqpException">The bytes are not one whole frame (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static Frame Decode(ReadOnlyMemory<byte> encoded)
    {
        var buffer = new ReadOnlySequence<byte>(encoded);
        if (!TryRead(ref buffer, uint.MaxValue, out var frame) || !buffer.IsEmpty)
        {
            throw AmqpException.Framing($"{encoded.Length} bytes are not one whole frame.");
        }

        return frame;
    }

    private static FrameType CheckHeader(ReadOnlySpan<byte> header, uint size, uint maxFrameSize)
    {
        var bodyOffset = header[4] * 4u;
        if (size > maxFrameSize)
        {
            throw AmqpException.Framing($"A frame of {size} bytes is over the limit of {maxFrameSize}.");
        }

        if (bodyOffset < HeaderLength || bodyOffset > size)
        {
            throw AmqpException.Framing($"A frame of {size} bytes cannot begin its body at {bodyOffset}.");
        }

        return header[5] <= (byte)FrameType.Sasl ? (FrameType)header[5] : throw AmqpException.Framing($"{header[5]} is not a frame type.");
    }

    private static Frame DecodeBody(FrameType type, ushort channel, in ReadOnlySequence<byte> body, ReusedPerformatives? reused)
    {
        if (body.IsEmpty)
        {
            return new Frame(type, channel, null, default);
        }

        // A transfer's payload needs a copy in any case, so one array serves performative and payload. Other performatives are read in place. The few
        // binaries they hold are copied.
        var first = body.FirstSpan;
        if (!body.IsSingleSegment || first.StartsWith(TransferStart))
        {
            var owned = body.ToArray();
            var reader = new AmqpReader(owned.AsMemory());
            var performative = Performative.Decode(ref reader, reused);
            return Checked(new Frame(type, channel, performative, owned.AsMemory(reader.Position)));
        }

        var inPlace = new AmqpReader(first);
        var decoded = Performative.Decode(ref inPlace, reused);
        return Checked(new Frame(type, channel, decoded, first[inPlace.Position..].ToArray()));
    }

    private static Frame Checked(in Frame frame)
    {
        var sasl = frame.Performative is SaslMechanisms or SaslInit or SaslChallenge or SaslResponse or SaslOutcome;
        if (sasl != (frame.Type == FrameType.Sasl))
        {
            throw AmqpException.Framing($"A {frame.Performative!.GetType().Name} does not belong in a frame of type {frame.Type}.");
        }

        if (!frame.Payload.IsEmpty && frame.Performative is not Transfer)
        {
            throw AmqpException.Framing($"{frame.Payload.Length} bytes follow a {frame.Performative!.GetType().Name}.");
        }

        return frame;
    }
}

/// <summary>
/// The objects into which a read loop reads the performatives that come with messages and their credit. A receiver of such an object must not use it after
/// the next frame.
/// </summary>
internal sealed class ReusedPerformatives
{
    public Transfer Transfer { get; } = new();

    public Disposition Disposition { get; } = new();

    public Flow Flow { get; } = new();
}
