using System.Net;
using System.Net.Http;
using System.Net.Security;
using System.Net.Sockets;
using System.Net.WebSockets;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>The client's side: HttpClient and ClientWebSocket do the connection, proxy, TLS and upgrade.</summary>
internal static class WebSocketClient
{
    /// <summary>Connects and upgrades.</summary>
    /// <param name="options">The address, and whether to encrypt.</param>
    /// <param name="webSocket">The path, the subprotocol and the proxy.</param>
    /// <param name="tls">The settings of TLS.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>The stream, and the remote address of the socket: that of the peer or of the proxy.</returns>
    /// <exception cref="WebSocketException">The peer is unreachable or refused.</exception>
    /// <exception cref="AmqpException">The peer selected another subprotocol or none.</exception>
    public static async Task<(Stream Stream, EndPoint? Remote)> ConnectAsync(
        AmqpConnectionOptions options,
        AmqpWebSocketOptions webSocket,
        SslClientAuthenticationOptions tls,
        CancellationToken cancellationToken
    )
    {
        EndPoint? remote = null;
        // An upgraded connection no longer belongs to the handler.
        using SocketsHttpHandler handler = new()
        {
            SslOptions = tls,
            Proxy = webSocket.Proxy,
            ConnectCallback = async (context, token) =>
            {
                Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                try
                {
                    await socket.ConnectAsync(context.DnsEndPoint, token).ConfigureAwait(false);
                    remote = socket.RemoteEndPoint;
                    return new NetworkStream(socket, ownsSocket: true);
                }
                catch
                {
                    socket.Dispose();
                    throw;
                }
            },
        };
        using HttpMessageInvoker invoker = new(handler);
        ClientWebSocket client = new();
        try
        {
            // AMQP has its own heartbeats.
            client.Options.KeepAliveInterval = Timeout.InfiniteTimeSpan;
            client.Options.AddSubProtocol(webSocket.Subprotocol);
            await client.ConnectAsync(GetAddress(options, webSocket), invoker, cancellationToken).ConfigureAwait(false);
            return client.SubProtocol == webSocket.Subprotocol
                ? (new WebSocketBytes(client, options.TimeProvider), remote)
                : throw new AmqpException(
                    AmqpErrorScope.Transport,
                    new AmqpError(
                        ErrorCondition.NotAllowed,
                        $"the peer takes the subprotocol '{client.SubProtocol}' of WebSockets, asked for was '{webSocket.Subprotocol}'"
                    )
                );
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    private static Uri GetAddress(AmqpConnectionOptions options, AmqpWebSocketOptions webSocket) =>
        new UriBuilder(options.UseTls ? "wss" : "ws", options.Host, options.Port, webSocket.Path).Uri;
}
