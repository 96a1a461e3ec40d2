using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Load.Wire;

/// <summary>Bare sockets, one transfer at a time.</summary>
internal sealed class SocketWireSender : IWireSender
{
    private readonly Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] transfer = new byte[WireRows.TransferBytes];
    private readonly byte[] answer = new byte[WireRows.AnswerBytes];
    private NetworkStream? stream;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), cancellationToken);
        stream = new NetworkStream(socket);
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
