using System.IO.Pipelines;
using System.Net;
using System.Threading.Channels;
using EventHubThroughput.Amqp;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>
/// HTTP requests that arrived at an AMQP port. Clients of Service Bus use one connection string for messages and for the administration. The server of the
/// administration accepts them like those of its ports.
/// </summary>
internal sealed class HandedOverConnections : EndPoint, IConnectionListener
{
    private readonly Channel<Connection> _waiting = Channel.CreateBounded<Connection>(new BoundedChannelOptions(64) { SingleReader = true });

    EndPoint IConnectionListener.EndPoint => this;

    /// <summary>Serves a peer until its connection has ended.</summary>
    public async Task ServeAsync(AmqpHttpPeer peer, CancellationToken cancellationToken)
    {
        var connection = new Connection(peer);
        using var stopping = cancellationToken.UnsafeRegister(static state => ((Connection)state!).Abort(), connection);
        try
        {
            await _waiting.Writer.WriteAsync(connection, cancellationToken);
            await connection.Completion.WaitAsync(cancellationToken);
        }
        catch (ChannelClosedException)
        {
            // The administration has stopped.
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The port is being closed.
        }
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            return await _waiting.Reader.ReadAsync(cancellationToken);
        }
        catch (ChannelClosedException)
        {
            return null;
        }
    }

    /// <summary>Releases the pending accept.</summary>
    public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _waiting.Writer.TryComplete();
        while (_waiting.Reader.TryRead(out var connection))
        {
            await connection.DisposeAsync();
        }
    }

    public ValueTask DisposeAsync() => UnbindAsync();

    public override string ToString() => "connections of the messaging ports";

    private sealed class Connection : DefaultConnectionContext
    {
        private readonly AmqpHttpPeer _peer;
        private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

        // Replaces the token source of the base class. An abort cancels that one later on another thread, even after disposal.
        private readonly CancellationTokenSource _closed = new();
        private readonly Lock _gate = new();
        private Task? _closing;
        private bool _isOver;

        public Connection(AmqpHttpPeer peer)
            : base(Guid.NewGuid().ToString("N"))
        {
            _peer = peer;
            Transport = new Endpoints.DuplexPipe(peer.Input, PipeWriter.Create(peer.Output, new StreamPipeWriterOptions(leaveOpen: true)));
            ConnectionClosed = _closed.Token;
            LocalEndPoint = peer.LocalEndPoint;
            RemoteEndPoint = peer.RemoteEndPoint;
            if (peer.IsEncrypted)
            {
                // The server takes this feature as the sign of https.
                Features.Set<ITlsConnectionFeature>(new WithoutClientCertificate());
            }
        }

        /// <summary>Completes when the server has released the connection.</summary>
        public Task Completion => _completion.Task;

        public override void Abort(ConnectionAbortedException abortReason)
        {
            lock (_gate)
            {
                if (!_isOver)
                {
                    _closing ??= _closed.CancelAsync();
                }
            }

            // Ends pending reads and writes.
            _peer.Output.Dispose();
        }

        public override async ValueTask DisposeAsync()
        {
            Task? closing;
            lock (_gate)
            {
                _isOver = true;
                closing = _closing;
            }

            await (closing ?? Task.CompletedTask);
            await Transport.Input.CompleteAsync();
            await Transport.Output.CompleteAsync();
            _closed.Dispose();
            await base.DisposeAsync();
            _completion.TrySetResult();
        }
    }
}
