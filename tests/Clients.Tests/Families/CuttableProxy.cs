using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>A proxy between a client and a service on loopback. It can drop all connections, refuse new ones, and fall silent.</summary>
internal sealed class CuttableProxy : IAsyncDisposable
{
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource closing = new();
    private readonly List<(TcpClient Client, TcpClient Service)> pairs = [];
    private readonly List<Task> pumps = [];
    private readonly int servicePort;
    private readonly Task accepting;
    private volatile bool refusing;
    private volatile bool silent;

    public CuttableProxy(int servicePort)
    {
        this.servicePort = servicePort;
        listener.Start();
        accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    /// <summary>Where connections lead.</summary>
    public int ServicePort => servicePort;

    /// <summary>How many connections were made so far.</summary>
    public int Accepted { get; private set; }

    /// <summary>Drops every connection. <paramref name="refuse"/> drops new ones too.</summary>
    public void Cut(bool refuse = false)
    {
        lock (pairs)
        {
            refusing = refuse;
            foreach ((var client, var service) in pairs)
            {
                client.Client.Close(0);
                service.Client.Close(0);
            }

            pairs.Clear();
        }
    }

    /// <summary>Leaves every connection open and passes nothing on any more.</summary>
    public void Silence() => silent = true;

    public void Mend() => refusing = false;

    public async ValueTask DisposeAsync()
    {
        await closing.CancelAsync();

        // The pending accept ends by the token. A listener that was gone first would fault the next one.
        await accepting;
        listener.Dispose();
        Cut(refuse: true);
        await Task.WhenAll(pumps);
        closing.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var client = await listener.AcceptTcpClientAsync(closing.Token);
                if (refusing)
                {
                    client.Client.Close(0);
                    continue;
                }

                var service = new TcpClient() { NoDelay = true };
                client.NoDelay = true;
                await service.ConnectAsync(IPAddress.Loopback, servicePort, closing.Token);
                Join(client, service);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    // In one step: a cut comes either before it, and the connection is refused, or after it, and ends the connection.
    private void Join(TcpClient client, TcpClient service)
    {
        lock (pairs)
        {
            if (refusing)
            {
                client.Client.Close(0);
                service.Client.Close(0);
                return;
            }

            pairs.Add((client, service));
            Accepted++;
            pumps.Add(PumpAsync(client.GetStream(), service.GetStream()));
            pumps.Add(PumpAsync(service.GetStream(), client.GetStream()));
        }
    }

    private async Task PumpAsync(NetworkStream from, NetworkStream to)
    {
        try
        {
            var buffer = new byte[16 * 1024];
            while (await from.ReadAsync(buffer, closing.Token) is > 0 and int read)
            {
                if (!silent)
                {
                    await to.WriteAsync(buffer.AsMemory(0, read), closing.Token);
                }
            }

            to.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or SocketException or ObjectDisposedException)
        {
            // Cut.
        }
    }
}
