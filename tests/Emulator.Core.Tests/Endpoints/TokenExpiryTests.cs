using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class TokenExpiryTests : RunningEmulator
{
    private readonly VirtualClock _clock = new();

    [Theory]
    [InlineData("hub")]
    [InlineData("queue")]
    public async Task A_link_whose_token_expired_is_detached(string entity)
    {
        await using var peer = await ConnectAsync(entity);
        var sender = await peer.SenderAsync(entity);
        await SendAsync(sender);
        _clock.Advance(TimeSpan.FromSeconds(59));
        await SendAsync(sender);
        _clock.Advance(TimeSpan.FromSeconds(2));
        var error = await sender.Completion.WaitAsync(Cancellation);
        Assert.Equal(ErrorCondition.UnauthorizedAccess, error!.Condition.Value);
        Assert.Equal("ExpiredToken: The token is expired. Expiration time: 2026-01-01T00:01:00Z.", error.Description);
    }

    [Fact]
    public async Task Receivers_are_detached_too_and_the_connection_stays()
    {
        await using var peer = await ConnectAsync("queue");
        var receiver = await peer.ReceiverAsync("queue", 1, SenderSettleMode.Unsettled);
        _clock.Advance(TimeSpan.FromSeconds(61));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, (await receiver.Completion.WaitAsync(Cancellation))!.Condition.Value);
        await PutTokenAsync(peer, "queue");
        await SendAsync(await peer.SenderAsync("queue"));
    }

    [Fact]
    public async Task A_token_that_is_renewed_in_time_keeps_its_links()
    {
        await using var peer = await ConnectAsync("queue");
        var sender = await peer.SenderAsync("queue");
        for (var renewal = 0; renewal < 5; renewal++)
        {
            _clock.Advance(TimeSpan.FromSeconds(45));
            await PutTokenAsync(peer, "queue");
            await SendAsync(sender);
        }

        _clock.Advance(TimeSpan.FromSeconds(61));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, (await sender.Completion.WaitAsync(Cancellation))!.Condition.Value);
    }

    [Fact]
    public async Task Links_of_a_peer_that_showed_the_key_itself_never_expire()
    {
        var settings = MessagingConnectionString.Parse(ServiceBus);
        await using var peer = await Peer.ConnectAsync(ServiceBus, new SaslCredential(settings.KeyName!, settings.Key!));
        var sender = await peer.SenderAsync("queue");
        _clock.Advance(TimeSpan.FromMinutes(3));
        await SendAsync(sender);
    }

    private protected override EmulatorOptions Options() => new() { TimeProvider = _clock };

    private static async Task SendAsync(AmqpSender sender) =>
        Assert.IsType<Accepted>(await sender.SendAsync(new AmqpMessage { Body = MessageBody.OfData(new byte[1]) }.Encode(), 0, Cancellation));

    private async Task<Peer> ConnectAsync(string entity)
    {
        var peer = await Peer.ConnectAsync(entity == "hub" ? EventHubs : ServiceBus);
        await PutTokenAsync(peer, entity);
        return peer;
    }

    private async Task PutTokenAsync(Peer peer, string entity)
    {
        var settings = MessagingConnectionString.Parse(EventHubs);
        var token = SasToken.Create(peer.Audience(entity), settings.KeyName!, settings.Key!, _clock.GetUtcNow() + TimeSpan.FromSeconds(60));
        Assert.Equal(202, await peer.PutTokenAsync(entity, token));
    }
}
