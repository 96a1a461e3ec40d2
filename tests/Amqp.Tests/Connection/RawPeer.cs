using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>One end of a socket that writes any bytes of a test and shows every frame that comes back.</summary>
internal sealed class RawPeer : IAsyncDisposable
{
    private readonly Socket socket;
    private readonly NetworkStream stream;
    private readonly PipeReader input;

    private RawPeer(Socket socket)
    {
        this.socket = socket;
        stream = new NetworkStream(socket);
        input = PipeReader.Create(stream);
    }

    public static async Task<RawPeer> ConnectAsync(AmqpListener listener, CancellationToken cancellationToken)
    {
        var connected = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await connected.ConnectAsync(listener.LocalEndPoint, cancellationToken);
        return new RawPeer(connected);
    }

    /// <summary>Connects without SASL and opens.</summary>
    public static async Task<RawPeer> OpenAsync(AmqpListener listener, CancellationToken cancellationToken, Open? open = null)
    {
        var peer = await ConnectAsync(listener, cancellationToken);
        await peer.WriteAsync(ProtocolHeader.Amqp, cancellationToken);
        await peer.WriteAsync(0, open ?? new Open { ContainerId = "raw" }, cancellationToken);
        Assert.Equal(ProtocolHeader.Amqp, await peer.ReadHeaderAsync(cancellationToken));
        await peer.ReadAsync<Open>(cancellationToken);
        return peer;
    }

    /// <summary>Opens, begins a session on channel 0 and attaches a sender to handle 0.</summary>
    public static async Task<RawPeer> AttachAsync(AmqpListener listener, CancellationToken cancellationToken)
    {
        var peer = await OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, new Begin { IncomingWindow = 100, OutgoingWindow = 100 }, cancellationToken);
        await peer.WriteAsync(0, Serving.To("raw") with { InitialDeliveryCount = 0 }, cancellationToken);
        await peer.ReadAsync<Begin>(cancellationToken);
        await peer.ReadAsync<Attach>(cancellationToken);
        return peer;
    }

    /// <summary>Accepts one client on a separate socket and continues until open. Then the script runs.</summary>
    public static async Task<T> ServeAsync<T>(Socket listening, Func<RawPeer, Task<T>> script, Open open, CancellationToken cancellationToken)
    {
        await using var peer = new RawPeer(await listening.AcceptAsync(cancellationToken));
        Assert.Equal(ProtocolHeader.Sasl, await peer.ReadHeaderAsync(cancellationToken));
        await peer.WriteAsync(ProtocolHeader.Sasl, cancellationToken);
        await peer.WriteSaslAsync(new SaslMechanisms { Mechanisms = ["ANONYMOUS"] }, cancellationToken);
        await peer.ReadAsync<SaslInit>(cancellationToken);
        await peer.WriteSaslAsync(new SaslOutcome { Code = SaslCode.Ok }, cancellationToken);
        Assert.Equal(ProtocolHeader.Amqp, await peer.ReadHeaderAsync(cancellationToken));
        await peer.WriteAsync(ProtocolHeader.Amqp, cancellationToken);
        await peer.ReadAsync<Open>(cancellationToken);
        await peer.WriteAsync(0, open, cancellationToken);
        return await script(peer);
    }

    public static Socket Listen()
    {
        var listening = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen();
        return listening;
    }

    public ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken) => stream.WriteAsync(bytes, cancellationToken);

    public ValueTask WriteAsync(ProtocolHeader header, CancellationToken cancellationToken)
    {
        var buffer = new ArrayBufferWriter<byte>();
        header.Write(buffer);
        return WriteAsync(buffer.WrittenMemory, cancellationToken);
    }

    public ValueTask WriteSaslAsync(Performative performative, CancellationToken cancellationToken)
    {
        var buffer = new ArrayBufferWriter<byte>();
        FrameWriter.WriteSasl(buffer, performative);
        return WriteAsync(buffer.WrittenMemory, cancellationToken);
    }

    /// <summary>Writes frames in one piece, so that they are read in one piece.</summary>
    public ValueTask WriteAsync(ushort channel, CancellationToken cancellationToken, params IEnumerable<Performative> performatives)
    {
        var buffer = new ArrayBufferWriter<byte>();
        foreach (var performative in performatives)
        {
            FrameWriter.Write(buffer, channel, performative, uint.MaxValue);
        }

        return WriteAsync(buffer.WrittenMemory, cancellationToken);
    }

    public ValueTask WriteAsync(ushort channel, Performative performative, CancellationToken cancellationToken) =>
        WriteAsync(channel, cancellationToken, performative);

    public async Task<ProtocolHeader> ReadHeaderAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var read = await input.ReadAsync(cancellationToken);
            var buffer = read.Buffer;
            var found = ProtocolHeader.TryRead(ref buffer, out var header);
            input.AdvanceTo(buffer.Start, found ? buffer.Start : buffer.End);
            if (found)
            {
                return header;
            }

            Assert.False(read.IsCompleted, "the peer hung up");
        }
    }

    /// <summary>The next frame, or null when the peer has hung up.</summary>
    public async Task<Frame?> ReadFrameAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var read = await input.ReadAsync(cancellationToken);
            var buffer = read.Buffer;
            var found = FrameReader.TryRead(ref buffer, uint.MaxValue, out var frame);
            input.AdvanceTo(buffer.Start, found ? buffer.Start : buffer.End);
            if (found)
            {
                return frame;
            }

            if (read.IsCompleted)
            {
                return null;
            }
        }
    }

    /// <summary>Passes over frames until one is of this kind.</summary>
    public async Task<T> ReadAsync<T>(CancellationToken cancellationToken)
        where T : Performative
    {
        while (true)
        {
            var frame = await ReadFrameAsync(cancellationToken);
            Assert.True(frame.HasValue, $"the peer hung up before a {typeof(T).Name}");
            if (frame.Value.Performative is T found)
            {
                return found;
            }
        }
    }

    /// <summary>True once the peer has hung up.</summary>
    public async Task<bool> IsHungUpAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (await ReadFrameAsync(cancellationToken) is not null) { }
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            // A reset is also an end.
        }

        return true;
    }

    public async ValueTask DisposeAsync()
    {
        socket.Dispose();
        await stream.DisposeAsync();
    }
}
