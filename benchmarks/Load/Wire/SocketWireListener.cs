using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Load.Wire;

/// <summary>Bare sockets: the sender begins with the length of its transfers. Each of them is answered by a number of bytes.</summary>
internal sealed class SocketWireListener : IWireListener
{
    private readonly Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Task serving;

    public SocketWireListener()
    {
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen();
        serving = ServeAsync();
    }

    public int Port => ((IPEndPoint)listening.LocalEndPoint!).Port;

    public async ValueTask DisposeAsync()
    {
        listening.Dispose();
        await serving;
    }

    private async Task ServeAsync()
    {
        try
        {
            using var socket = await listening.AcceptAsync();
            socket.NoDelay = true;
            await using var stream = new NetworkStream(socket);
            var length = new byte[sizeof(int)];
            await stream.ReadExactlyAsync(length);
            var transfer = new byte[BinaryPrimitives.ReadInt32LittleEndian(length)];
            var answer = new byte[WireRows.AnswerBytes];
            while (await stream.ReadAtLeastAsync(transfer, transfer.Length, throwOnEndOfStream: false) == transfer.Length)
            {
                await stream.WriteAsync(answer);
            }
        }
        catch (SocketException)
        {
            // No peer connected, or it has disconnected.
        }
    }
}
