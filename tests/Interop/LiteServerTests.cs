using System.Security.Cryptography;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>Our AMQP library as a client of AMQPNetLite's listener.</summary>
public sealed class LiteServerTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task A_message_goes_to_the_box_and_back_in_many_frames(string? password)
    {
        using var server = LiteServer.Start();
        await using var connection = await ConnectAsync(server, password is null ? null : new SaslCredential("user", password));
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var body = RandomNumberGenerator.GetBytes(500_000);
        var sender = await session.AttachSenderAsync(PlainLinks.To(LiteServer.Box), Cancelled);

        Assert.IsType<Accepted>(await sender.SendAsync(PlainLinks.GetMessage(body, "large"), 0, Cancelled));

        var receiver = await session.AttachReceiverAsync(PlainLinks.From(LiteServer.Box), 1, Cancelled);
        var delivery = await receiver.ReceiveAsync(Cancelled);
        var message = AmqpMessage.Decode(delivery.Payload);
        Assert.Equal("large", message.Properties!.Subject);
        Assert.True(Assert.Single(message.Body.Data).Span.SequenceEqual(body));
        Assert.True(receiver.Settle(delivery, Accepted.Instance));
    }

    [Fact]
    public async Task A_thousand_messages_are_sent_concurrently_and_arrive_in_order()
    {
        const int Count = 1_000;
        using var server = LiteServer.Start();
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var sender = await session.AttachSenderAsync(PlainLinks.To(LiteServer.Box), Cancelled);
        var outcomes = await Task.WhenAll(
            Enumerable.Range(0, Count).Select(number => sender.SendAsync(PlainLinks.GetMessage(BitConverter.GetBytes(number), "one"), 0, Cancelled).AsTask())
        );
        Assert.All(outcomes, static outcome => Assert.IsType<Accepted>(outcome));

        var receiver = await session.AttachReceiverAsync(PlainLinks.From(LiteServer.Box), 0, Cancelled);
        receiver.SetPrefetch(50);
        for (var number = 0; number < Count; number++)
        {
            var delivery = await receiver.ReceiveAsync(Cancelled);
            Assert.Equal(number, BitConverter.ToInt32(Assert.Single(AmqpMessage.Decode(delivery.Payload).Body.Data).Span));
            receiver.Settle(delivery, Accepted.Instance);
        }
    }

    [Fact]
    public async Task Outcomes_are_distinguished()
    {
        using var server = LiteServer.Start();
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var sender = await session.AttachSenderAsync(PlainLinks.To(LiteServer.Judge), Cancelled);

        Assert.IsType<Accepted>(await sender.SendAsync(PlainLinks.GetMessage([1], "accept"), 0, Cancelled));
        Assert.IsType<Released>(await sender.SendAsync(PlainLinks.GetMessage([1], "release"), 0, Cancelled));
        var modified = Assert.IsType<Modified>(await sender.SendAsync(PlainLinks.GetMessage([1], "modify"), 0, Cancelled));
        Assert.Equal((true, true), (modified.DeliveryFailed, modified.UndeliverableHere));
        var rejected = Assert.IsType<Rejected>(await sender.SendAsync(PlainLinks.GetMessage([1], "reject"), 0, Cancelled));
        Assert.Equal(("app:bad", "no good"), (rejected.Error!.Condition.Value, rejected.Error.Description));
    }

    [Fact]
    public async Task A_refused_link_has_its_reason()
    {
        using var server = LiteServer.Start();
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);

        var refusal = await Assert.ThrowsAsync<AmqpException>(async () =>
        {
            var sender = await session.AttachSenderAsync(PlainLinks.To("nowhere"), Cancelled);
            await sender.SendAsync(PlainLinks.GetMessage([1], "x"), 0, Cancelled);
        });
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task A_wrong_password_is_refused()
    {
        using var server = LiteServer.Start();
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(server, new SaslCredential("user", "wrong")));
        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
    }

    private static Task<AmqpConnection> ConnectAsync(LiteServer server, SaslCredential? credential = null) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = server.Port,
                MaxFrameSize = 4_096,
                Sasl = credential,
            },
            Cancelled
        );
}
