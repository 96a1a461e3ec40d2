using System.Buffers;
using System.IO.Pipelines;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>Headers and SASL frames in strict turn, before a connection has loops of its own.</summary>
internal sealed class HandshakePipe(Stream stream, PipeReader input)
{
    public PipeReader Input { get; } = input;

    public Stream Stream { get; } = stream;

    public async ValueTask WriteAsync(ProtocolHeader header, CancellationToken cancellationToken)
    {
        FrameBuffer buffer = new();
        header.Write(buffer);
        await Stream.WriteAsync(buffer.Written, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask WriteSaslAsync(Performative performative, CancellationToken cancellationToken)
    {
        FrameBuffer buffer = new();
        FrameWriter.WriteSasl(buffer, performative);
        await Stream.WriteAsync(buffer.Written, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask<ProtocolHeader> ReadHeaderAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await Input.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            bool read = ProtocolHeader.TryRead(ref buffer, out ProtocolHeader header);
            Input.AdvanceTo(buffer.Start, read ? buffer.Start : buffer.End);
            if (read)
            {
                return header;
            }

            ThrowIfEnded(result);
        }
    }

    public async ValueTask<T> ReadSaslAsync<T>(CancellationToken cancellationToken)
        where T : Performative
    {
        while (true)
        {
            ReadResult result = await Input.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            bool read = FrameReader.TryRead(ref buffer, FrameReader.MinMaxFrameSize, out Frame frame);
            Input.AdvanceTo(buffer.Start, read ? buffer.Start : buffer.End);
            if (read)
            {
                return frame.Performative as T ?? throw AmqpException.Framing($"Expected a {typeof(T).Name}.");
            }

            ThrowIfEnded(result);
        }
    }

    private static void ThrowIfEnded(ReadResult result)
    {
        if (result.IsCompleted)
        {
            throw new AmqpException(
                AmqpErrorScope.Transport,
                new AmqpError(ErrorCondition.ConnectionForced, "The peer closed the socket before the connection was open.")
            );
        }
    }
}
