using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Sasl;

namespace EventHubThroughput.Amqp;

/// <summary>Listens on a port and creates a connection for every socket that completes the handshake.</summary>
public sealed class AmqpListener : IAsyncDisposable
{
    // Sockets beyond the limit that are read before they are refused. Any more are closed immediately.
    private const int HandshakeReserve = 64;

    // How long all peers together may take to answer when the listener stops.
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(1);

    private readonly AmqpListenerOptions _options;
    private readonly Func<AmqpConnection, ILinkAcceptor> _acceptorOf;
    private readonly Socket _socket;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _gate = new();
    private readonly HashSet<AmqpConnection> _connections = [];
    private readonly HashSet<Task> _served = [];
    private readonly Task _accepting;
    private int _sockets;

    private AmqpListener(AmqpListenerOptions options, Func<AmqpConnection, ILinkAcceptor> acceptorOf, Socket socket)
    {
        _options = options;
        _acceptorOf = acceptorOf;
        _socket = socket;
        LocalEndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _accepting = OwnContext.Start(() => Task.Run(AcceptAsync));
    }

    /// <summary>The local address and port.</summary>
    public IPEndPoint LocalEndPoint { get; }

    /// <summary>The connections that are open now.</summary>
    public IReadOnlyCollection<AmqpConnection> Connections
    {
        get
        {
            lock (_gate)
            {
                return [.. _connections];
            }
        }
    }

    /// <summary>Starts to listen.</summary>
    /// <exception cref="SocketException">The port is in use or not allowed.</exception>
    public static AmqpListener Start(AmqpListenerOptions options, Func<AmqpConnection, ILinkAcceptor> acceptorOf)
    {
        Socket socket = new(options.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(options.Address, options.Port));
            socket.Listen(512);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return new AmqpListener(options, acceptorOf, socket);
    }

    /// <summary>Stops listening and closes all connections. Sends close frames for a bounded time.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stopping.IsCancellationRequested)
        {
            return;
        }

        await _stopping.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _accepting.ConfigureAwait(false);
        AmqpError error = new(ErrorCondition.ConnectionForced, "The listener is stopping.");
        await Task.WhenAll(Connections.Select(connection => CloseAsync(connection, error))).ConfigureAwait(false);
        Task[] served;
        lock (_gate)
        {
            served = [.. _served];
        }

        await Task.WhenAll(served).ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task CloseAsync(AmqpConnection connection, AmqpError error)
    {
        using CancellationTokenSource limit = new(CloseTimeout, _options.TimeProvider);
        try
        {
            await connection.CloseAsync(error, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The peer does not answer. Stopping the listener does not wait for it.
            connection.Abort(error);
        }
    }

    private async Task AcceptAsync()
    {
        SocketAcceptor acceptor = new(_socket.AcceptAsync, exception => Notify(ListenerEvent.NotAccepted, peer: null, exception), _options.TimeProvider);
        while (await acceptor.NextAsync(_stopping.Token).ConfigureAwait(false) is { } peer)
        {
            // Some more sockets than allowed, so that a refused peer can receive the reason.
            if (Interlocked.Increment(ref _sockets) > _options.MaxConnections + Math.Min(HandshakeReserve, _options.MaxConnections))
            {
                Interlocked.Decrement(ref _sockets);
                Notify(ListenerEvent.TurnedAway, peer, exception: null);
                peer.Dispose();
                continue;
            }

            Track(ServeAsync(peer));
        }
    }

    private void Track(Task serving)
    {
        lock (_gate)
        {
            _served.RemoveWhere(task => task.IsCompleted);
            _served.Add(serving);
        }
    }

    // Serves one socket from its first byte to its last. No exception leaves this method.
    private async Task ServeAsync(Socket socket)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            if (await EnterAsync(socket).ConfigureAwait(false) is not { } entered)
            {
                return;
            }

            var (connection, http) = await HandshakeAsync(socket, entered).ConfigureAwait(false);
            if (http is not null)
            {
                await ServeHttpAsync(http).ConfigureAwait(false);
            }

            if (connection is null)
            {
                return;
            }

            bool full;
            lock (_gate)
            {
                full = _connections.Count >= _options.MaxConnections;
                _connections.Add(connection);
            }

            connection.Start();
            if (_stopping.IsCancellationRequested)
            {
                // Too late for the list of connections that are closed with a reason. Nothing else would end this one.
                connection.Abort(new AmqpError(ErrorCondition.ConnectionForced, "The listener is stopping."));
            }

            await DropIfNotOpenedAsync(connection).ConfigureAwait(false);
            if (full)
            {
                AmqpError crowded = new(ErrorCondition.ResourceLimitExceeded, $"{_options.MaxConnections} connections are open.");
                _options.Notice?.Invoke(new ListenerNotice(ListenerEvent.TurnedAway, connection.RemoteEndPoint) { Error = crowded });
                await connection.CloseAsync(crowded, CancellationToken.None).ConfigureAwait(false);
            }

            if (await connection.Completion.ConfigureAwait(false) is { } error && !_stopping.IsCancellationRequested)
            {
                _options.Notice?.Invoke(new ListenerNotice(ListenerEvent.ConnectionEnded, connection.RemoteEndPoint) { Error = error });
            }

            await connection.DisposeAsync().ConfigureAwait(false);
            lock (_gate)
            {
                _connections.Remove(connection);
            }
        }
        finally
        {
            socket.Dispose();
            Interlocked.Decrement(ref _sockets);
        }
    }

    private async Task DropIfNotOpenedAsync(AmqpConnection connection)
    {
        if (!await connection.OpenedWithinAsync(_options.HandshakeTimeout).ConfigureAwait(false))
        {
            AmqpError error = new(ErrorCondition.ConnectionForced, "No open frame within the handshake's time-out.");
            _options.Notice?.Invoke(new ListenerNotice(ListenerEvent.HandshakeFailed, connection.RemoteEndPoint) { Error = error });
            connection.Abort(error);
        }
    }

    private async ValueTask<Stream?> EnterAsync(Socket socket)
    {
        NetworkStream stream = new(socket, ownsSocket: true);
        if (_options.Intercept is null)
        {
            return stream;
        }

        try
        {
            return await _options.Intercept(stream, _stopping.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
            Notify(ListenerEvent.HandshakeFailed, socket, exception);
            return null;
        }
    }

    private async Task ServeHttpAsync(AmqpHttpPeer peer)
    {
        await using (peer.Output.ConfigureAwait(false))
        {
            try
            {
                await _options.ServeHttp!(peer, _stopping.Token).ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                // No exception may leave this method.
                _options.Notice?.Invoke(new ListenerNotice(ListenerEvent.HttpFailed, peer.RemoteEndPoint) { Exception = exception });
            }
        }
    }

    // The protocol of the peer. Both are null when the handshake fails.
    private async Task<(AmqpConnection? Connection, AmqpHttpPeer? Http)> HandshakeAsync(Socket socket, Stream stream)
    {
        using CancellationTokenSource late = new(_options.HandshakeTimeout, _options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, _stopping.Token);
        try
        {
            socket.NoDelay = true;
            var remote = socket.RemoteEndPoint;
            if (_options.Certificate is not null)
            {
                SslStream encrypted = new(stream);
                stream = encrypted;
                SslServerAuthenticationOptions tls = new()
                {
                    ServerCertificate = _options.Certificate,
                    ClientCertificateRequired = _options.CheckPeerCertificate is not null,
                    RemoteCertificateValidationCallback = _options.CheckPeerCertificate,
                };
                await encrypted.AuthenticateAsServerAsync(tls, either.Token).ConfigureAwait(false);
            }

            var certificate = (stream as SslStream)?.RemoteCertificate;
            var input = ClientTransport.GetInput(stream);
            if (
                (_options.WebSocketPath ?? (object?)_options.ServeHttp) is not null
                && await HttpPreface.IsComingAsync(input, either.Token).ConfigureAwait(false)
            )
            {
                if (_options.ServeHttp is not null && !await IsForWebSocketAsync(input, either.Token).ConfigureAwait(false))
                {
                    return (
                        null,
                        new AmqpHttpPeer(input, stream)
                        {
                            LocalEndPoint = LocalEndPoint,
                            RemoteEndPoint = remote,
                            IsEncrypted = stream is SslStream,
                        }
                    );
                }

                stream = await WebSocketServer.AcceptAsync(stream, input, _options.WebSocketPath!, _options.TimeProvider, either.Token).ConfigureAwait(false);
                input = ClientTransport.GetInput(stream);
            }

            var frames = _options.FrameObserver?.Invoke(remote);
            var identity = await ServerSasl
                .AuthenticateAsync(new HandshakePipe(stream, input, frames), _options.SaslMechanisms, _options.Authenticate, certificate, either.Token)
                .ConfigureAwait(false);
            return (new AmqpConnection(stream, input, ConnectionSettings.Of(_options) with { Frames = frames }, identity, remote, _acceptorOf), null);
        }
        catch (Exception exception)
            when (exception
                    is AmqpException
                        or IOException
                        or SocketException
                        or OperationCanceledException
                        or AuthenticationException
                        or ObjectDisposedException
            )
        {
            // The peer has received its answer, if one was due.
            Notify(ListenerEvent.HandshakeFailed, socket, exception);
            return (null, null);
        }
    }

    private async ValueTask<bool> IsForWebSocketAsync(PipeReader input, CancellationToken cancellationToken) =>
        _options.WebSocketPath is not null && await HttpPreface.IsForWebSocketAsync(input, cancellationToken).ConfigureAwait(false);

    private void Notify(ListenerEvent what, Socket? peer, Exception? exception)
    {
        if (_options.Notice is { } notice && !_stopping.IsCancellationRequested)
        {
            notice(new ListenerNotice(what, GetAddress(peer)) { Exception = exception });
        }
    }

    private static EndPoint? GetAddress(Socket? peer)
    {
        try
        {
            return peer?.RemoteEndPoint;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The peer has gone, so its address is unknown.
            return null;
        }
    }
}
