using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Load.Wire;

/// <summary>Bare sockets, one transfer at a time.</summary>
/// <param name="bytes">How many bytes are sent for an answer of <see cref="WireRows.AnswerBytes"/>.</param>
internal sealed class SocketWireSender(int bytes) : IWireSender
{
    private readonly Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] transfer = new byte[bytes];
    private readonly byte[] answer = new byte[WireRows.AnswerBytes];
    private NetworkStream? stream;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), cancellationToken);
        stream = new NetworkStream(socket);
        var length = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, transfer.Length);
        await stream.WriteAsync(length, cancellationToken);
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        await stream!.WriteAsync(transfer, cancellationToken);
        await stream.ReadExactlyAsync(answer, cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (stream is not null)
        {
            await stream.DisposeAsync();
        }

        socket.Dispose();
    }
}
