using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Peers that break the protocol get the reason, and only they are closed.</summary>
public sealed class HostilePeerTests
{
    private static readonly Begin Begin = new() { IncomingWindow = 100, OutgoingWindow = 100 };

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: x\r\n\r\n")]
    [InlineData("AMQP\u0000\u0000\u0009\u0001")]
    [InlineData("\u0000")]
    public async Task Bytes_that_are_not_AMQP_are_answered_with_the_supported_header(string bytes)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.ConnectAsync(listener, cancellationToken);
        await peer.WriteAsync(System.Text.Encoding.Latin1.GetBytes(bytes), cancellationToken);
        Assert.Equal(ProtocolHeader.Sasl, await peer.ReadHeaderAsync(cancellationToken));
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
        await AssertStillServesAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task A_frame_over_the_announced_size_closes_the_connection_with_a_framing_error()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        var frame = new byte[70_000];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length);
        frame[4] = 2;
        await peer.WriteAsync(frame, cancellationToken);
        Assert.Equal(ErrorCondition.FramingError, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
        await AssertStillServesAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task Random_bytes_after_open_close_the_connection_with_an_error()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        for (var seed = 0; seed < 40; seed++)
        {
            await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
            var frame = new byte[200];
            new Random(seed).NextBytes(frame);
            BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length);
            (frame[4], frame[5]) = (2, 0);
            await peer.WriteAsync(frame, cancellationToken);
            Assert.NotNull((await peer.ReadAsync<Close>(cancellationToken)).Error);
        }

        await AssertStillServesAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task A_frame_before_open_closes_the_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.ConnectAsync(listener, cancellationToken);
        await peer.WriteAsync(ProtocolHeader.Amqp, cancellationToken);
        await peer.WriteAsync(0, Begin, cancellationToken);
        await peer.ReadHeaderAsync(cancellationToken);
        Assert.Equal(ErrorCondition.IllegalState, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
    }

    [Fact]
    public async Task A_max_frame_size_below_512_closes_the_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken, new Open { ContainerId = "raw", MaxFrameSize = 511 });
        Assert.Equal(ErrorCondition.InvalidField, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_transfer_flow_or_detach_on_an_unknown_handle_ends_the_session(int kind)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        Performative frame = kind switch
        {
            0 => Message(0) with { Handle = 7 },
            1 => new Flow
            {
                IncomingWindow = 1,
                NextOutgoingId = 0,
                OutgoingWindow = 1,
                Handle = 7,
            },
            _ => new Detach { Handle = 7, Closed = true },
        };
        await peer.WriteAsync(0, cancellationToken, Begin, frame);
        Assert.Equal(ErrorCondition.UnattachedHandle, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);

        // Only the session has ended: after its end the channel can be used again.
        await peer.WriteAsync(0, cancellationToken, new End(), Begin);
        await peer.ReadAsync<Begin>(cancellationToken);
    }

    [Fact]
    public async Task Transfers_beyond_the_session_window_end_the_session()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { SessionWindow = 4 });
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Enumerable.Range(0, 5).Select(Message));
        Assert.Equal(ErrorCondition.WindowViolation, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task Transfers_beyond_the_links_credit_detach_the_link()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Enumerable.Range(0, 12).Select(Message));
        var detach = await peer.ReadAsync<Detach>(cancellationToken);
        Assert.True(detach.Closed);
        Assert.Equal(ErrorCondition.TransferLimitExceeded, detach.Error!.Condition.Value);
    }

    [Fact]
    public async Task A_message_beyond_the_links_limit_detaches_the_link()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { MaxMessageSize = 100_000 });
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        for (var i = 0; i < 3; i++)
        {
            var buffer = new System.Buffers.ArrayBufferWriter<byte>();
            FrameWriter.WriteTransfer(buffer, 0, Message(0) with { More = true }, new System.Buffers.ReadOnlySequence<byte>(new byte[40_000]), 65_536);
            await peer.WriteAsync(buffer.WrittenMemory, cancellationToken);
        }

        Assert.Equal(ErrorCondition.MessageSizeExceeded, (await peer.ReadAsync<Detach>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task A_transfer_that_interrupts_another_message_of_its_link_ends_the_session()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Message(0) with { More = true }, Message(1));
        Assert.Equal(ErrorCondition.InvalidField, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task Deliveries_left_unsettled_beyond_the_limit_end_the_session()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { UnsettledLimit = 3 });
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Enumerable.Range(0, 5).Select(Message));
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task A_handle_above_handle_max_closes_the_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { HandleMax = 3 });
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Begin, Serving.To("s") with { Handle = 4, InitialDeliveryCount = 0 });
        Assert.Equal(3u, (await peer.ReadAsync<Begin>(cancellationToken)).HandleMax);
        Assert.Equal(ErrorCondition.FramingError, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task A_handle_that_is_in_use_ends_the_session()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, Serving.To("other") with { InitialDeliveryCount = 0 }, cancellationToken);
        Assert.Equal(ErrorCondition.HandleInUse, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task A_channel_above_channel_max_closes_the_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { ChannelMax = 2 });
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(3, Begin, cancellationToken);
        Assert.Equal(ErrorCondition.FramingError, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
    }

    [Fact]
    public async Task A_frame_on_a_channel_without_session_closes_the_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(9, Message(0), cancellationToken);
        Assert.NotNull((await peer.ReadAsync<Close>(cancellationToken)).Error);
        await AssertStillServesAsync(listener, cancellationToken);
    }

    [Fact]
    public async Task The_connection_beyond_the_limit_is_closed_with_a_reason()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(new AmqpListenerOptions { MaxConnections = 1 });
        await using var first = await RawPeer.OpenAsync(listener, cancellationToken);
        await using var second = await RawPeer.OpenAsync(listener, cancellationToken);
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, (await second.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
        await first.WriteAsync(0, Begin, cancellationToken);
        await first.ReadAsync<Begin>(cancellationToken);
    }

    [Fact]
    public async Task Detach_end_and_close_sent_back_to_back_are_all_answered()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen();
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, new Detach { Handle = 0, Closed = true }, new End(), new Close());
        Assert.True((await peer.ReadAsync<Detach>(cancellationToken)).Closed);
        await peer.ReadAsync<End>(cancellationToken);
        await peer.ReadAsync<Close>(cancellationToken);
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
    }

    // Links get a credit of ten and are left alone.
    private static AmqpListener Listen(AmqpListenerOptions? options = null) =>
        AmqpListener.Start(options ?? new AmqpListenerOptions(), _ => new TenCreditAcceptor());

    private static Transfer Message(int id) =>
        new()
        {
            Handle = 0,
            DeliveryId = (uint)id,
            DeliveryTag = BitConverter.GetBytes(id),
            MessageFormat = 0,
        };

    private static async Task AssertStillServesAsync(AmqpListener listener, CancellationToken cancellationToken)
    {
        await using var connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Host = "127.0.0.1", Port = listener.LocalEndPoint.Port },
            cancellationToken
        );
        await using var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        Assert.True(session.IsOpen);
    }

    private sealed class TenCreditAcceptor : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            request.AcceptReceiver(new LinkAnswer(), 10);
            return ValueTask.CompletedTask;
        }
    }
}
