using System.Net;

namespace EventHubThroughput.Amqp;

/// <summary>Listens for connections.</summary>
public sealed class AmqpListener : IAsyncDisposable
{
    private AmqpListener()
    {
    }

    /// <summary>Where it listens, with the port that was taken.</summary>
    public IPEndPoint LocalEndPoint => throw new NotSupportedException();

    /// <summary>The connections that are open.</summary>
    public IReadOnlyCollection<AmqpConnection> Connections => throw new NotSupportedException();

    /// <summary>Starts to listen.</summary>
    /// <param name="options">Where, and with which limits.</param>
    /// <param name="acceptorOf">Makes the acceptor of a connection's links, once the peer's open is known.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The port is in use.</exception>
    public static AmqpListener Start(AmqpListenerOptions options, Func<AmqpConnection, ILinkAcceptor> acceptorOf) =>
        throw new NotSupportedException();

    /// <summary>Stops to listen and closes all connections, bounded in time; never throws.</summary>
    public ValueTask DisposeAsync() => throw new NotSupportedException();
}
