using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Sasl;

namespace EventHubThroughput.Amqp;

/// <summary>
/// A client's connection and a listener's, joined in memory. Both run the whole protocol from the headers and SASL on, without a socket. For tests, and for
/// measuring the library without a network.
/// </summary>
public sealed class AmqpConnectionPair : IAsyncDisposable
{
    private AmqpConnectionPair(AmqpConnection client, AmqpConnection server)
    {
        Client = client;
        Server = server;
    }

    /// <summary>The client's connection.</summary>
    public AmqpConnection Client { get; }

    /// <summary>The listener's connection. Its acceptor decides on links.</summary>
    public AmqpConnection Server { get; }

    /// <summary>Authenticates and opens both ends.</summary>
    /// <param name="client">The client's options. Host and port are only names, and TLS is not used.</param>
    /// <param name="server">The listener's options. Address, port, certificate, <c>Intercept</c> and the number of connections have no effect here.</param>
    /// <param name="acceptorOf">Returns the acceptor of the links that the client asks for.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpException">SASL was refused, or the options do not fit together (<see cref="AmqpErrorScope.Transport"/>).</exception>
    public static Task<AmqpConnectionPair> OpenAsync(
        AmqpConnectionOptions client,
        AmqpListenerOptions server,
        Func<AmqpConnection, ILinkAcceptor> acceptorOf,
        CancellationToken cancellationToken
    )
    {
        var (near, far) = DuplexStream.CreatePair();
        return OpenAsync(client, near, server, far, acceptorOf, cancellationToken);
    }

    /// <summary>The same over two ends of any stream.</summary>
    internal static async Task<AmqpConnectionPair> OpenAsync(
        AmqpConnectionOptions client,
        Stream near,
        AmqpListenerOptions server,
        Stream far,
        Func<AmqpConnection, ILinkAcceptor> acceptorOf,
        CancellationToken cancellationToken
    )
    {
        var serving = ServeAsync(server, far, acceptorOf, cancellationToken);
        var connecting = ConnectAsync(client, near, cancellationToken);
        var first = await Task.WhenAny(serving, connecting).ConfigureAwait(false);
        if (!first.IsCompletedSuccessfully)
        {
            // The other end would wait for bytes that never arrive.
            await near.DisposeAsync().ConfigureAwait(false);
            await far.DisposeAsync().ConfigureAwait(false);
        }

        try
        {
            // If both failed, the first failure is the cause of the other.
            await first.ConfigureAwait(false);
            return new AmqpConnectionPair(await connecting.ConfigureAwait(false), await serving.ConfigureAwait(false));
        }
        catch
        {
            await EndAsync(serving).ConfigureAwait(false);
            await EndAsync(connecting).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes both ends.</summary>
    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync().ConfigureAwait(false);
        await Server.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The listener's side: SASL over a stream. The connection waits for the peer's open.</summary>
    internal static async Task<AmqpConnection> ServeAsync(
        AmqpListenerOptions options,
        Stream stream,
        Func<AmqpConnection, ILinkAcceptor> acceptorOf,
        CancellationToken cancellationToken
    )
    {
        using CancellationTokenSource late = new(options.HandshakeTimeout, options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        var input = ClientTransport.GetInput(stream);
        var frames = options.FrameObserver?.Invoke(null);
        var identity = await ServerSasl
            .AuthenticateAsync(new HandshakePipe(stream, input, frames), options.SaslMechanisms, options.Authenticate, certificate: null, either.Token)
            .ConfigureAwait(false);
        AmqpConnection connection = new(stream, input, ConnectionSettings.Of(options) with { Frames = frames }, identity, remoteEndPoint: null, acceptorOf);
        connection.Start();
        return connection;
    }

    private static async Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, Stream stream, CancellationToken cancellationToken)
    {
        using CancellationTokenSource late = new(options.ConnectTimeout, options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        var connection = await ClientTransport.AuthenticateAsync(options, stream, remote: null, either.Token).ConfigureAwait(false);
        return await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
    }

    private static async Task EndAsync(Task<AmqpConnection> connecting)
    {
        await ((Task)connecting).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (connecting.IsCompletedSuccessfully)
        {
            var connection = await connecting.ConfigureAwait(false);
            connection.Abort(null);
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }
}
