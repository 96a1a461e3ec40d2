using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Sasl;

namespace EventHubThroughput.Amqp;

/// <summary>Socket, TLS, WebSocket and SASL of a client's connection, all within one time-out.</summary>
internal static class ClientTransport
{
    public static async Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken)
    {
        using CancellationTokenSource late = new(options.ConnectTimeout, options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        Stream? stream = null;
        try
        {
            var tls = options.Tls ?? TlsFor(options.Host);
            (stream, var remote) = options.WebSocket is { } webSocket
                ? await WebSocketClient.ConnectAsync(options, webSocket, tls, either.Token).ConfigureAwait(false)
                : await ConnectSocketAsync(options, tls, either.Token).ConfigureAwait(false);
            return await AuthenticateAsync(options, stream, remote, either.Token).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            if (stream is not null)
            {
                await stream.DisposeAsync().ConfigureAwait(false);
            }

            if (cancellationToken.IsCancellationRequested)
            {
                throw;
            }

            throw Failed(options, exception, late.IsCancellationRequested);
        }
    }

    /// <summary>SASL over a stream to the peer. The returned connection has not been started.</summary>
    public static async Task<AmqpConnection> AuthenticateAsync(
        AmqpConnectionOptions options,
        Stream stream,
        EndPoint? remote,
        CancellationToken cancellationToken
    )
    {
        var input = GetInput(stream);
        var frames = options.FrameObserver?.Invoke(remote);
        await ClientSasl
            .AuthenticateAsync(
                new HandshakePipe(stream, input, frames),
                options.Sasl,
                options.ExternalIdentity,
                options.HostName ?? options.Host,
                cancellationToken
            )
            .ConfigureAwait(false);
        return new AmqpConnection(stream, input, ConnectionSettings.Of(options) with { Frames = frames }, sasl: null, remote, acceptorOf: null);
    }

    /// <summary>The reader of a stream for a connection, on either side. The connection closes the stream.</summary>
    public static PipeReader GetInput(Stream stream) =>
        PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: 65_536, minimumReadSize: 4_096, leaveOpen: true));

    private static async Task<(Stream Stream, EndPoint? Remote)> ConnectSocketAsync(
        AmqpConnectionOptions options,
        SslClientAuthenticationOptions tls,
        CancellationToken cancellationToken
    )
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(options.Host, options.Port, cancellationToken).ConfigureAwait(false);
            NetworkStream plain = new(socket, ownsSocket: true);
            if (!options.UseTls)
            {
                return (plain, socket.RemoteEndPoint);
            }

            SslStream encrypted = new(plain);
            await encrypted.AuthenticateAsClientAsync(tls, cancellationToken).ConfigureAwait(false);
            return (encrypted, socket.RemoteEndPoint);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    // The operating system chooses the version. .NET offers it nothing below TLS 1.2.
    private static SslClientAuthenticationOptions TlsFor(string host) => new() { TargetHost = host };

    private static AmqpException Failed(AmqpConnectionOptions options, Exception exception, bool late)
    {
        var reason = late ? $"no connection within {options.ConnectTimeout.TotalSeconds:0.###} s" : exception.Message;
        var condition = exception is AmqpException { Error.Condition: var given } ? given.Value : ErrorCondition.ConnectionForced;
        return new AmqpException(
            late ? AmqpErrorScope.Timeout : AmqpErrorScope.Transport,
            new AmqpError(condition, $"{options.Host}:{options.Port}: {reason}"),
            exception
        );
    }
}
