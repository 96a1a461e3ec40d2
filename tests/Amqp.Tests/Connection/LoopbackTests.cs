using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Our client against our listener: every message once, in order, at any limits.</summary>
public sealed class LoopbackTests
{
    [Theory]
    [InlineData(512u, 1u, 1u)]
    [InlineData(512u, 2048u, 1000u)]
    [InlineData(512u, 2048u, 1000u, true)]
    [InlineData(65_536u, 1u, 1000u)]
    [InlineData(65_536u, 2048u, 1u)]
    [InlineData(65_536u, 2048u, 1000u)]
    [InlineData(65_536u, 2048u, 1000u, true)]
    public async Task Messages_of_every_size_arrive_once_and_in_order(uint frame, uint window, uint credit, bool webSocket = false)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        CollectingAcceptor acceptor = new(credit);
        await using var listener = AmqpListener.Start(
            new AmqpListenerOptions
            {
                MaxFrameSize = frame,
                SessionWindow = window,
                WebSocketPath = webSocket ? AmqpWebSocketOptions.AzurePath : null,
            },
            _ => acceptor
        );
        await using var connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = listener.LocalEndPoint.Port,
                WebSocket = webSocket ? new AmqpWebSocketOptions() : null,
            },
            cancellationToken
        );
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var sender = await session.AttachSenderAsync(
            new Attach
            {
                Name = "s",
                Source = new Source(),
                Target = new Target { Address = "x" },
            },
            cancellationToken
        );

        int[] sizes = [0, 1, 100, 400, 512, 5_000, 70_000, 200_000];
        List<Task<DeliveryState>> outcomes = [];
        for (var i = 0; i < 200; i++)
        {
            var payload = new byte[4 + sizes[i % sizes.Length]];
            BitConverter.TryWriteBytes(payload, i);
            Array.Fill(payload, (byte)i, 4, payload.Length - 4);
            outcomes.Add(sender.SendAsync(payload, 0, cancellationToken).AsTask());
        }

        Assert.All(await Task.WhenAll(outcomes), outcome => Assert.IsType<Accepted>(outcome));
        byte[][] received = [.. acceptor.Received.Select(payload => payload.ToArray())];
        Assert.Equal(Enumerable.Range(0, 200), received.Select(payload => BitConverter.ToInt32(payload)));
        Assert.All(
            received.Index(),
            item => Assert.True(item.Item.Length == 4 + sizes[item.Index % sizes.Length] && item.Item.Skip(4).All(b => b == (byte)item.Index))
        );
    }

    private sealed class CollectingAcceptor(uint credit) : ILinkAcceptor
    {
        public ConcurrentQueue<ReadOnlyMemory<byte>> Received { get; } = [];

        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = 1_048_576 }, 0);
            receiver.SetPrefetch(credit);
            _ = CollectAsync(receiver);
            return ValueTask.CompletedTask;
        }

        private async Task CollectAsync(AmqpReceiver receiver)
        {
            try
            {
                while (true)
                {
                    var delivery = await receiver.ReceiveAsync(CancellationToken.None);
                    Received.Enqueue(delivery.Payload);
                    receiver.Settle(delivery, Accepted.Instance);
                }
            }
            catch (AmqpException)
            {
                // The client has gone.
            }
        }
    }
}
