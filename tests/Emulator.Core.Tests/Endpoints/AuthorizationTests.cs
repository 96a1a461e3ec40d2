using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class AuthorizationTests : RunningEmulator
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_token_is_taken_in_the_shapes_of_both_official_clients(bool likeDotNet)
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(202, await peer.PutTokenAsync("hub", likeDotNet: likeDotNet));
        await peer.SenderAsync("hub");
    }

    [Fact]
    public async Task Without_a_token_a_link_is_refused()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("hub"));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, refusal.Error.Condition.Value);
    }

    [Fact]
    public async Task A_token_for_the_queue_opens_no_other()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await peer.PutTokenAsync("other");
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("queue"));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, refusal.Error.Condition.Value);
    }

    [Fact]
    public async Task An_expired_token_is_answered_with_401()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(401, await peer.PutTokenAsync("hub", peer.Token("hub", TimeSpan.FromMinutes(-1))));
    }

    [Fact]
    public async Task A_token_signed_with_another_key_is_answered_with_401()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        var forged = SasToken.Create(peer.Audience("hub"), "RootManageSharedAccessKey", "b3RoZXI=", TimeProvider.System.GetUtcNow().AddHours(1));
        Assert.Equal(401, await peer.PutTokenAsync("hub", forged));
    }

    [Fact]
    public async Task A_token_signed_for_another_entity_is_answered_with_401()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(401, await peer.PutTokenAsync("hub", peer.Token("other")));
    }

    [Fact]
    public async Task Name_and_key_of_sasl_plain_need_no_token()
    {
        var key = MessagingConnectionString.Parse(EventHubs);
        await using var peer = await Peer.ConnectAsync(EventHubs, new SaslCredential(key.KeyName!, key.Key!));
        await peer.SenderAsync("hub");
    }

    [Fact]
    public async Task A_wrong_key_of_sasl_plain_is_refused()
    {
        await Assert.ThrowsAsync<AmqpException>(() => Peer.ConnectAsync(EventHubs, new SaslCredential("RootManageSharedAccessKey", "wrong")));
    }

    [Theory]
    [InlineData("nope")]
    [InlineData("nope/Partitions/0")]
    public async Task An_unknown_entity_is_refused_in_the_services_words(string address)
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        await peer.PutTokenAsync(address);
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync(address));
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
        Assert.Contains($"The messaging entity 'sb://127.0.0.1/{address}' could not be found.", refusal.Error.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_management_link_may_be_attached_before_its_token_and_is_unauthorized_until_then()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var peek = new AmqpMap { { "from-sequence-number", 1L }, { "message-count", 1 } };
        foreach (var (path, status) in new[] { ("queue", 204), ("nope", 404) })
        {
            Assert.Equal(401, await AskAsync(path));
            await peer.PutTokenAsync(path);
            Assert.Equal(status, await AskAsync(path));
        }

        async Task<object?> AskAsync(string path) =>
            (
                await peer.RequestAsync($"{path}/$management", new AmqpMap { { "operation", "com.microsoft:peek-message" } }, MessageBody.OfValue(peek))
            ).ApplicationProperties!["statusCode"];
    }

    [Fact]
    public async Task Only_put_token_is_known_on_cbs()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        var answer = await peer.RequestAsync("$cbs", new AmqpMap { { "operation", "drop-token" } }, MessageBody.OfValue(null));
        Assert.Equal(501, answer.ApplicationProperties!["status-code"]);
    }

    [Fact]
    public async Task A_request_that_cannot_be_read_is_rejected_since_no_answer_could_name_it()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        var requests = await peer.SenderAsync("$cbs");
        var outcome = await requests.SendAsync(new byte[] { 0x00 }, 0, Cancellation);
        Assert.Equal(ErrorCondition.DecodeError, Assert.IsType<Rejected>(outcome).Error!.Condition.Value);
    }

    [Theory]
    [InlineData("/hub")]
    [InlineData("HUB")]
    [InlineData("amqps://localhost/hub")]
    public async Task Addresses_are_known_in_all_their_spellings(string address)
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        await peer.PutTokenAsync("hub");
        var sender = await peer.SenderAsync(address);
        Assert.Equal(address, sender.RemoteAttach.Target!.Address);
    }
}
