using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// Limits the open connections of an HTTP server, on its sockets and on end points that are listeners themselves. Kestrel's limit closes a connection only when
/// a thread has time for it. Until then each connection of a sudden crowd holds a descriptor, and a process without descriptors ends.
/// </summary>
/// <param name="limit">The most open connections, over all ports of the server.</param>
internal sealed class BoundedTransport(int limit) : IConnectionListenerFactory
{
    private readonly SocketTransportFactory _sockets = new(Options.Create(new SocketTransportOptions { NoDelay = true }), NullLoggerFactory.Instance);

    private int _open;

    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
        new Listener(this, endpoint as IConnectionListener ?? await _sockets.BindAsync(endpoint, cancellationToken));

    private bool TryEnter()
    {
        if (Interlocked.Increment(ref _open) <= limit)
        {
            return true;
        }

        Leave();
        return false;
    }

    private void Leave() => Interlocked.Decrement(ref _open);

    private sealed class Listener(BoundedTransport transport, IConnectionListener inner) : IConnectionListener
    {
        public EndPoint EndPoint => inner.EndPoint;

        public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
        {
            while (await inner.AcceptAsync(cancellationToken) is { } accepted)
            {
                if (transport.TryEnter())
                {
                    return new Connection(transport, accepted);
                }

                // The next one is accepted when the descriptor of this one is free again.
                await accepted.DisposeAsync();
            }

            return null;
        }

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => inner.UnbindAsync(cancellationToken);

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    /// <summary>A connection that releases its place together with its descriptor.</summary>
    private sealed class Connection(BoundedTransport transport, ConnectionContext inner) : ConnectionContext
    {
        private int _left;

        public override string ConnectionId
        {
            get => inner.ConnectionId;
            set => inner.ConnectionId = value;
        }

        public override IFeatureCollection Features => inner.Features;

        public override IDictionary<object, object?> Items
        {
            get => inner.Items;
            set => inner.Items = value;
        }

        public override IDuplexPipe Transport
        {
            get => inner.Transport;
            set => inner.Transport = value;
        }

        public override CancellationToken ConnectionClosed
        {
            get => inner.ConnectionClosed;
            set => inner.ConnectionClosed = value;
        }

        public override EndPoint? LocalEndPoint
        {
            get => inner.LocalEndPoint;
            set => inner.LocalEndPoint = value;
        }

        public override EndPoint? RemoteEndPoint
        {
            get => inner.RemoteEndPoint;
            set => inner.RemoteEndPoint = value;
        }

        public override void Abort() => inner.Abort();

        public override void Abort(ConnectionAbortedException abortReason) => inner.Abort(abortReason);

        public override async ValueTask DisposeAsync()
        {
            await inner.DisposeAsync();
            await base.DisposeAsync();
            if (Interlocked.Exchange(ref _left, 1) == 0)
            {
                transport.Leave();
            }
        }
    }
}

/// <summary>Combines two pipes into the transport of a connection.</summary>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
