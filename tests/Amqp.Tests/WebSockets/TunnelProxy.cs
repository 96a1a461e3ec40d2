using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace EventHubThroughput.Amqp.Tests.WebSockets;

/// <summary>An HTTP proxy that makes tunnels (CONNECT) and does nothing else.</summary>
internal sealed class TunnelProxy : IAsyncDisposable
{
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource stopping = new();
    private readonly Task serving;

    public TunnelProxy()
    {
        listener.Start();
        serving = ServeAsync();
    }

    /// <summary>The targets that were asked for, in their order.</summary>
    public ConcurrentQueue<string> Asked { get; } = [];

    public IPEndPoint EndPoint => (IPEndPoint)listener.LocalEndpoint;

    public WebProxy Address => new(new Uri($"http://{EndPoint}"), BypassOnLocal: false);

    public async ValueTask DisposeAsync()
    {
        await stopping.CancelAsync();

        // The pending accept ends by the token. A listener that was gone first would fault the next one.
        await serving;
        listener.Dispose();
        stopping.Dispose();
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync(stopping.Token);
                await TunnelAsync(client.GetStream());
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or SocketException)
        {
            // The test has ended.
        }
    }

    private async Task TunnelAsync(NetworkStream client)
    {
        var request = new byte[4_096];
        var length = await client.ReadAsync(request, stopping.Token);
        var target = Encoding.ASCII.GetString(request, 0, length).Split(' ')[1];
        Asked.Enqueue(target);
        using var server = new TcpClient();
        await server.ConnectAsync(IPEndPoint.Parse(target), stopping.Token);
        await client.WriteAsync("HTTP/1.1 200 Connection established\r\n\r\n"u8.ToArray(), stopping.Token);
        await Task.WhenAny(client.CopyToAsync(server.GetStream(), stopping.Token), server.GetStream().CopyToAsync(client, stopping.Token));
    }
}
