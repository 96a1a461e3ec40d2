using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Nonsense at every point of a conversation: an error or an end, nothing left over, and the next client is served.</summary>
public sealed class FuzzedListenerTests
{
    private const int Rounds = 300;

    [Fact]
    public async Task The_listener_serves_the_next_client_after_any_bytes_instead_of_a_handshake()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var random = new Random(1);
        await using var listener = Listen();
        for (var round = 0; round < Rounds; round++)
        {
            await using var peer = await RawPeer.ConnectAsync(listener, cancellationToken);
            if (round % 3 > 0)
            {
                await peer.WriteAsync(round % 3 == 1 ? ProtocolHeader.Sasl : ProtocolHeader.Amqp, cancellationToken);
            }

            await SendAsync(peer, Noise(random, random.Next(1, 600)), cancellationToken);
        }

        await AssertNothingIsLeftAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task Frames_with_changed_bytes_end_in_an_error_or_in_nothing_at_all()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var random = new Random(2);
        await using var listener = Listen();
        for (var round = 0; round < Rounds; round++)
        {
            await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
            var bytes = Conversation();
            for (var changes = random.Next(1, 6); changes > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            await SendAsync(peer, bytes, cancellationToken);
        }

        await AssertNothingIsLeftAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task Frames_in_any_order_end_in_an_error_or_in_nothing_at_all()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var random = new Random(3);
        await using var listener = Listen();
        for (var round = 0; round < Rounds; round++)
        {
            await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
            var frames = Frames().Concat(Frames()).ToArray();
            random.Shuffle(frames);
            await SendAsync(peer, Encode([new Begin { IncomingWindow = 100, OutgoingWindow = 100 }, .. frames]), cancellationToken);
        }

        await AssertNothingIsLeftAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task A_handshake_of_one_byte_now_and_then_is_over_in_time()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = Listen(new AmqpListenerOptions { TimeProvider = clock });
        await using var peer = await RawPeer.ConnectAsync(listener, cancellationToken);
        await peer.WriteAsync(ProtocolHeader.Sasl, cancellationToken);
        await peer.ReadHeaderAsync(cancellationToken);
        await peer.ReadAsync<SaslMechanisms>(cancellationToken);
        var hungUp = peer.IsHungUpAsync(cancellationToken);
        byte[] start = [0, 0, 0, 40, 2, 1, 0, 0];
        for (var i = 0; i < start.Length && !hungUp.IsCompleted; i++)
        {
            await SendAsync(peer, [start[i]], cancellationToken);
            clock.Advance(TimeSpan.FromSeconds(3));
        }

        Assert.True(await hungUp);
        await AssertNothingIsLeftAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task A_thousand_connections_with_a_link_each_are_served_side_by_side()
    {
        const int Connections = 1_000;
        var cancellationToken = TestContext.Current.CancellationToken;
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        await using var pair = await LoopbackPair.StartAsync(Serving.Collect(payloads, 10), cancellationToken);
        var options = new AmqpConnectionOptions { Host = "127.0.0.1", Port = pair.Listener.LocalEndPoint.Port };
        var open = new ConcurrentQueue<(AmqpConnection Connection, AmqpSender Sender)>();
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = cancellationToken };
        await Parallel.ForAsync(
            0,
            Connections,
            parallel,
            async (number, token) =>
            {
                var connection = await AmqpConnection.ConnectAsync(options, token);
                var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), token);
                open.Enqueue((connection, await session.AttachSenderAsync(Serving.To($"link {number}"), token)));
            }
        );
        Assert.Equal(Connections + 1, pair.Listener.Connections.Count);
        await Parallel.ForEachAsync(
            open,
            parallel,
            static async (peer, token) => Assert.IsType<Accepted>(await peer.Sender.SendAsync(new byte[100], 0, token))
        );
        Assert.Equal(Connections, payloads.Count);
        await Parallel.ForEachAsync(open, parallel, static async (peer, _) => await peer.Connection.DisposeAsync());
    }

    private static AmqpListener Listen(AmqpListenerOptions? options = null) =>
        AmqpListener.Start(options ?? new AmqpListenerOptions(), static _ => new AnyLink());

    private static Performative[] Frames() =>
        [
            Serving.To("s") with
            {
                InitialDeliveryCount = 0,
            },
            Serving.From("r") with
            {
                Role = LinkRole.Receiver,
                Handle = 1,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 100,
                Handle = 1,
                DeliveryCount = 0,
                LinkCredit = 10,
            },
            new Transfer
            {
                Handle = 0,
                DeliveryId = 0,
                DeliveryTag = new byte[] { 1 },
                MessageFormat = 0,
            },
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = 0,
                Last = 3,
                Settled = true,
                State = Accepted.Instance,
            },
            new Detach { Handle = 0, Closed = true },
            new End(),
            new Begin { IncomingWindow = 100, OutgoingWindow = 100 },
        ];

    private static byte[] Conversation() => Encode([new Begin { IncomingWindow = 100, OutgoingWindow = 100 }, .. Frames()]);

    private static byte[] Encode(IEnumerable<Performative> frames)
    {
        var output = new ArrayBufferWriter<byte>();
        foreach (var frame in frames)
        {
            FrameWriter.Write(output, 0, frame, uint.MaxValue);
        }

        return output.WrittenSpan.ToArray();
    }

    private static byte[] Noise(Random random, int length)
    {
        var bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    // The listener may have hung up by now, which is one of its two right answers.
    private static async Task SendAsync(RawPeer peer, byte[] bytes, CancellationToken cancellationToken)
    {
        try
        {
            await peer.WriteAsync(bytes, cancellationToken);
        }
        catch (IOException) { }
    }

    private static async Task AssertNothingIsLeftAsync(AmqpListener listener, CancellationToken cancellationToken)
    {
        await using (
            var connection = await AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions { Host = "127.0.0.1", Port = listener.LocalEndPoint.Port },
                cancellationToken
            )
        )
        await using (var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken))
        {
            Assert.True(session.IsOpen);
        }

        // Every peer has hung up: what is still counted as open ends by itself.
        await Task.WhenAll(listener.Connections.Select(static connection => connection.Completion)).WaitAsync(cancellationToken);
    }
}
