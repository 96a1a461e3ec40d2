using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>A listener and one client connected to it. What the listener does with links is given as a function.</summary>
internal sealed class LoopbackPair : IAsyncDisposable
{
    private readonly ConcurrentQueue<Task> started = [];

    private LoopbackPair(AmqpListener listener) => Listener = listener;

    public AmqpListener Listener { get; }

    public AmqpConnection Client { get; private set; } = null!;

    public AmqpConnection Server => Assert.Single(Listener.Connections);

    /// <summary>Starts both. <paramref name="serve"/> answers each request and may continue to work with the link.</summary>
    public static async Task<LoopbackPair> StartAsync(
        Func<LinkRequest, Task> serve,
        CancellationToken cancellationToken,
        AmqpListenerOptions? listenerOptions = null,
        Func<AmqpConnectionOptions, AmqpConnectionOptions>? client = null
    )
    {
        LoopbackPair? pair = null;
        var listener = AmqpListener.Start(listenerOptions ?? new AmqpListenerOptions(), _ => new ServingAcceptor(request => pair!.Serve(serve, request)));
        pair = new LoopbackPair(listener);
        var options = new AmqpConnectionOptions { Host = "127.0.0.1", Port = listener.LocalEndPoint.Port };
        try
        {
            pair.Client = await AmqpConnection.ConnectAsync(client is null ? options : client(options), cancellationToken);
        }
        catch
        {
            await listener.DisposeAsync();
            throw;
        }

        return pair;
    }

    public Task<AmqpSession> BeginAsync(CancellationToken cancellationToken) => Client.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Listener.DisposeAsync();
        foreach (var task in started)
        {
            try
            {
                await task;
            }
            catch (AmqpException)
            {
                // The link has gone, as it had to.
            }
        }
    }

    // Only the answer belongs to the acceptor. The rest continues and is awaited at the end.
    private ValueTask Serve(Func<LinkRequest, Task> serve, LinkRequest request)
    {
        started.Enqueue(serve(request));
        return ValueTask.CompletedTask;
    }

    private sealed class ServingAcceptor(Func<LinkRequest, ValueTask> serve) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) => serve(request);
    }
}

/// <summary>What listeners of the tests do with a link.</summary>
internal static class Serving
{
    /// <summary>Receives with this much prefetch, keeps the payloads and settles each by an outcome.</summary>
    public static Func<LinkRequest, Task> Collect(
        ConcurrentQueue<ReadOnlyMemory<byte>> payloads,
        uint prefetch,
        Func<IncomingDelivery, DeliveryState>? outcomeOf = null
    ) =>
        async request =>
        {
            var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = 4 * 1024 * 1024 }, 0);
            receiver.SetPrefetch(prefetch);
            while (true)
            {
                var delivery = await receiver.ReceiveAsync(CancellationToken.None);
                payloads.Enqueue(delivery.Payload);
                receiver.Settle(delivery, outcomeOf?.Invoke(delivery) ?? Accepted.Instance);
            }
        };

    /// <summary>Accepts a link on which nothing is done.</summary>
    public static Task Accept(LinkRequest request)
    {
        if (request.PeerIsSender)
        {
            request.AcceptReceiver(new LinkAnswer(), 0);
        }
        else
        {
            request.AcceptSender(new LinkAnswer());
        }

        return Task.CompletedTask;
    }

    public static Attach To(string name) =>
        new()
        {
            Name = name,
            Source = new Source(),
            Target = new Target { Address = "node" },
        };

    public static Attach From(string name) =>
        new()
        {
            Name = name,
            Source = new Source { Address = "node" },
            Target = new Target(),
        };
}
