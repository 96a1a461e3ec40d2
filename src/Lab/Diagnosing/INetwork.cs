using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>The network of this machine, as far as a check needs it.</summary>
internal interface INetwork
{
    /// <summary>The addresses of a name.</summary>
    /// <exception cref="SocketException">The name has none.</exception>
    Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken);

    /// <summary>Connects. The caller disposes of the connection.</summary>
    /// <exception cref="SocketException">There is no connection.</exception>
    Task<Stream> ConnectAsync(string host, int port, CancellationToken cancellationToken);

    /// <summary>The proxy of the system for an address. Null if there is none.</summary>
    Uri? GetProxy(Uri address);
}

/// <summary>The sockets and the proxy of the system.</summary>
internal sealed class SystemNetwork : INetwork
{
    public Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken) => Dns.GetHostAddressesAsync(host, cancellationToken);

    public async Task<Stream> ConnectAsync(string host, int port, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(host, port, cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public Uri? GetProxy(Uri address) => HttpClient.DefaultProxy.IsBypassed(address) ? null : HttpClient.DefaultProxy.GetProxy(address);
}
