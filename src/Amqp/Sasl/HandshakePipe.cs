using System.Buffers;
using System.IO.Pipelines;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp.Sasl;

/// <summary>Exchanges headers and SASL frames in strict turn, before a connection has its loops.</summary>
internal sealed class HandshakePipe(Stream stream, PipeReader input, IFrameObserver? frames)
{
    public PipeReader Input { get; } = input;

    public Stream Stream { get; } = stream;

    public async ValueTask WriteAsync(ProtocolHeader header, CancellationToken cancellationToken)
    {
        FrameBuffer buffer = new();
        header.Write(buffer);
        frames?.Saw(FrameDirection.Sent, header);
        await Stream.WriteAsync(buffer.Written, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask WriteSaslAsync(Performative performative, CancellationToken cancellationToken)
    {
        FrameBuffer buffer = new();
        FrameWriter.WriteSasl(buffer, performative);
        frames?.Saw(FrameDirection.Sent, new Frame(FrameType.Sasl, 0, performative, default));
        await Stream.WriteAsync(buffer.Written, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask<ProtocolHeader> ReadHeaderAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await Input.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            var read = ProtocolHeader.TryRead(ref buffer, out var header);
            Input.AdvanceTo(buffer.Start, read ? buffer.Start : buffer.End);
            if (read)
            {
                frames?.Saw(FrameDirection.Received, header);
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
            var result = await Input.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            var read = FrameReader.TryRead(ref buffer, FrameReader.MinMaxFrameSize, out var frame);
            Input.AdvanceTo(buffer.Start, read ? buffer.Start : buffer.End);
            if (read)
            {
                frames?.Saw(FrameDirection.Received, frame);
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
