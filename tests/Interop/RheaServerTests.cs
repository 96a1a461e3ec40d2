using System.Security.Cryptography;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>Our AMQP library as a client of a server that is not ours.</summary>
public sealed class RheaServerTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_message_goes_to_rhea_and_back_in_many_frames()
    {
        await using var server = await RheaServer.StartAsync(Cancelled);
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var body = RandomNumberGenerator.GetBytes(500_000);
        var sender = await session.AttachSenderAsync(PlainLinks.To("box"), Cancelled);

        Assert.IsType<Accepted>(await sender.SendAsync(PlainLinks.GetMessage(body, "large"), 0, Cancelled));

        var receiver = await session.AttachReceiverAsync(PlainLinks.From("box"), 1, Cancelled);
        var delivery = await receiver.ReceiveAsync(Cancelled);
        var message = AmqpMessage.Decode(delivery.Payload);
        Assert.True(Assert.Single(message.Body.Data).Span.SequenceEqual(body));
        Assert.True(receiver.Settle(delivery, Accepted.Instance));
    }

    [Fact]
    public async Task Outcomes_of_rhea_are_distinguished()
    {
        await using var server = await RheaServer.StartAsync(Cancelled);
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var sender = await session.AttachSenderAsync(PlainLinks.To("judge"), Cancelled);

        // One at a time: rhea joins different outcomes of one turn into the first.
        Assert.IsType<Accepted>(await sender.SendAsync(PlainLinks.GetMessage([1], "accept"), 0, Cancelled));
        Assert.IsType<Released>(await sender.SendAsync(PlainLinks.GetMessage([1], "release"), 0, Cancelled));
        var modified = Assert.IsType<Modified>(await sender.SendAsync(PlainLinks.GetMessage([1], "modify"), 0, Cancelled));
        Assert.Equal((true, true), (modified.DeliveryFailed, modified.UndeliverableHere));
        Assert.Equal("app:bad", Assert.IsType<Rejected>(await sender.SendAsync(PlainLinks.GetMessage([1], "reject"), 0, Cancelled)).Error!.Condition.Value);
    }

    [Fact]
    public async Task Rhea_answers_a_drain()
    {
        await using var server = await RheaServer.StartAsync(Cancelled);
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var receiver = await session.AttachReceiverAsync(PlainLinks.From("box"), 10, Cancelled);

        await receiver.DrainAsync(Cancelled);
    }

    [Fact]
    public async Task A_link_that_rhea_refuses_has_its_reason()
    {
        await using var server = await RheaServer.StartAsync(Cancelled);
        await using var connection = await ConnectAsync(server);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);

        var refusal = await Assert.ThrowsAsync<AmqpException>(async () =>
        {
            var sender = await session.AttachSenderAsync(PlainLinks.To("nowhere"), Cancelled);
            await sender.SendAsync(PlainLinks.GetMessage([1], "x"), 0, Cancelled);
        });
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
    }

    private static Task<AmqpConnection> ConnectAsync(RheaServer server) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = server.Port,
                MaxFrameSize = 4_096,
            },
            Cancelled
        );
}
