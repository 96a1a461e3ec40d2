using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Writes frames. A frame is never larger than the peer's limit.</summary>
public static class FrameWriter
{
    /// <summary>Writes an empty frame, which only shows that the connection is alive.</summary>
    public static void WriteHeartbeat(IBufferWriter<byte> output)
    {
        var header = output.GetSpan(FrameReader.HeaderLength);
        WriteHeader(header, FrameReader.HeaderLength, FrameType.Amqp, 0);
        output.Advance(FrameReader.HeaderLength);
    }

    /// <summary>Writes a performative in an AMQP frame.</summary>
    /// <exception cref="AmqpException">It does not fit (<see cref="ErrorCondition.FrameSizeTooSmall"/>). Nothing was written.</exception>
    public static void Write(IBufferWriter<byte> output, ushort channel, Performative performative, uint maxFrameSize) =>
        WriteFrame(output, FrameType.Amqp, channel, performative, maxFrameSize);

    /// <summary>Writes a performative in a SASL frame, at most <see cref="FrameReader.MinMaxFrameSize"/> bytes.</summary>
    /// <exception cref="AmqpException">It does not fit (<see cref="ErrorCondition.FrameSizeTooSmall"/>). Nothing was written.</exception>
    public static void WriteSasl(IBufferWriter<byte> output, Performative performative) =>
        WriteFrame(output, FrameType.Sasl, 0, performative, FrameReader.MinMaxFrameSize);

    /// <summary>Writes one transfer frame with as much of the payload as fits. Sets <see cref="Transfer.More"/> when a rest remains.</summary>
    /// <returns>How many bytes of the payload were written.</returns>
    /// <exception cref="AmqpException">Not even one byte fits (<see cref="ErrorCondition.FrameSizeTooSmall"/>). Nothing was written.</exception>
    public static long WriteTransfer(IBufferWriter<byte> output, ushort channel, Transfer transfer, in ReadOnlySequence<byte> payload, uint maxFrameSize) =>
        WriteTransfer(output, channel, transfer.Head, payload, maxFrameSize);

    /// <inheritdoc cref="WriteTransfer(IBufferWriter{byte}, ushort, Transfer, in ReadOnlySequence{byte}, uint)"/>
    internal static long WriteTransfer(
        IBufferWriter<byte> output,
        ushort channel,
        in TransferHead transfer,
        in ReadOnlySequence<byte> payload,
        uint maxFrameSize
    )
    {
        var writer = Begin(output);
        transfer.Encode(ref writer);
        var room = (long)maxFrameSize - writer.Pending;
        if (payload.Length > room)
        {
            // "more" takes the place of a null, so the room stays the same.
            CheckFits(room > 0, maxFrameSize);
            writer.Clear();
            writer.Reserve(FrameReader.HeaderLength);
            (transfer with { More = true }).Encode(ref writer);
        }

        var part = payload.Length > room ? payload.Slice(0, room) : payload;
        WriteHeader(writer.PendingSpan, (uint)(writer.Pending + part.Length), FrameType.Amqp, channel);
        writer.Flush();
        if (part.IsSingleSegment)
        {
            output.Write(part.FirstSpan);
        }
        else
        {
            foreach (var segment in part)
            {
                output.Write(segment.Span);
            }
        }

        return part.Length;
    }

    /// <summary>Writes a disposition in an AMQP frame.</summary>
    /// <exception cref="AmqpException">It does not fit (<see cref="ErrorCondition.FrameSizeTooSmall"/>). Nothing was written.</exception>
    internal static void WriteDisposition(IBufferWriter<byte> output, ushort channel, in DispositionHead disposition, uint maxFrameSize)
    {
        var writer = Begin(output);
        disposition.Encode(ref writer);
        End(ref writer, FrameType.Amqp, channel, maxFrameSize);
    }

    /// <summary>Writes a flow in an AMQP frame.</summary>
    /// <exception cref="AmqpException">It does not fit (<see cref="ErrorCondition.FrameSizeTooSmall"/>). Nothing was written.</exception>
    internal static void WriteFlow(IBufferWriter<byte> output, ushort channel, in FlowHead flow, uint maxFrameSize)
    {
        var writer = Begin(output);
        flow.Encode(ref writer);
        End(ref writer, FrameType.Amqp, channel, maxFrameSize);
    }

    private static void WriteFrame(IBufferWriter<byte> output, FrameType type, ushort channel, Performative performative, uint maxFrameSize)
    {
        var writer = Begin(output);
        performative.Encode(ref writer);
        End(ref writer, type, channel, maxFrameSize);
    }

    // The header's size is known only afterwards, so its bytes are left free.
    private static AmqpWriter Begin(IBufferWriter<byte> output)
    {
        var writer = new AmqpWriter(output, held: true);
        writer.Reserve(FrameReader.HeaderLength);
        return writer;
    }

    private static void End(ref AmqpWriter writer, FrameType type, ushort channel, uint maxFrameSize)
    {
        CheckFits(writer.Pending <= maxFrameSize, maxFrameSize);
        WriteHeader(writer.PendingSpan, (uint)writer.Pending, type, channel);
        writer.Flush();
    }

    private static void WriteHeader(Span<byte> header, uint size, FrameType type, ushort channel)
    {
        BinaryPrimitives.WriteUInt32BigEndian(header, size);
        header[4] = FrameReader.HeaderLength / 4;
        header[5] = (byte)type;
        BinaryPrimitives.WriteUInt16BigEndian(header[6..], channel);
    }

    private static void CheckFits(bool fits, uint maxFrameSize)
    {
        if (!fits)
        {
            throw new AmqpException(
                AmqpErrorScope.Connection,
                new AmqpError(ErrorCondition.FrameSizeTooSmall, $"The frame does not fit in the peer's limit of {maxFrameSize} bytes.")
            );
        }
    }
}
