using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Authorization;

public sealed class ConnectionGrantsTests
{
    private const string KeyText = "c2VjcmV0LWtleS1vZi10ZXN0cw==";
    private readonly VirtualClock _clock = new();
    private readonly ConnectionGrants _grants;

    public ConnectionGrantsTests() => _grants = new ConnectionGrants(new AccessPolicies(new AccessKey(KeyText), []), _clock, AccessRights.None);

    [Theory]
    [InlineData("sb://127.0.0.1:5680/hub")]
    [InlineData("amqp://127.0.0.1/hub")]
    [InlineData("sb://127.0.0.1/HUB/")]
    public void A_token_grants_its_entity_and_what_is_below_it(string audience)
    {
        Assert.Null(_grants.PutToken(audience, Token(audience)));
        Assert.True(_grants.Allows("hub", AccessRights.Listen));
        Assert.True(_grants.Allows("hub/Partitions/0", AccessRights.Listen));
        Assert.True(_grants.Allows("Hub/$management", AccessRights.Listen));
        Assert.False(_grants.Allows("hub2", AccessRights.Listen));
        Assert.False(_grants.Allows("queue", AccessRights.Listen));
    }

    [Fact]
    public void Nothing_is_allowed_without_a_token() => Assert.False(_grants.Allows("hub", AccessRights.Listen));

    [Fact]
    public void A_token_for_another_entity_is_refused() =>
        Assert.StartsWith("InvalidAudience", _grants.PutToken("sb://127.0.0.1/queue", Token("sb://127.0.0.1/hub")), StringComparison.Ordinal);

    [Fact]
    public void A_token_for_another_host_is_refused() =>
        Assert.StartsWith("InvalidAudience", _grants.PutToken("sb://127.0.0.1/hub", Token("sb://example.net/hub")), StringComparison.Ordinal);

    [Fact]
    public void A_token_of_the_namespace_grants_all()
    {
        Assert.Null(_grants.PutToken("sb://127.0.0.1/hub", Token("sb://127.0.0.1/")));
        Assert.True(_grants.Allows("hub/ConsumerGroups/$Default/Partitions/0", AccessRights.Listen));
    }

    [Fact]
    public void A_grant_ends_when_its_token_expires()
    {
        Assert.Null(_grants.PutToken("sb://h/hub", Token("sb://h/hub")));
        _clock.Advance(TimeSpan.FromMinutes(21));
        Assert.False(_grants.Allows("hub", AccessRights.Listen));
    }

    [Fact]
    public void An_expired_token_is_refused_with_its_time()
    {
        var token = SasToken.Create("sb://h/hub", AccessKey.Name, KeyText, _clock.GetUtcNow() - TimeSpan.FromMinutes(1));
        Assert.StartsWith("ExpiredToken", _grants.PutToken("sb://h/hub", token), StringComparison.Ordinal);
    }

    [Fact]
    public void A_token_of_another_key_is_refused_and_not_repeated()
    {
        var token = SasToken.Create("sb://h/hub", AccessKey.Name, "other", _clock.GetUtcNow() + TimeSpan.FromMinutes(1));
        var refusal = _grants.PutToken("sb://h/hub", token)!;
        Assert.StartsWith("InvalidSignature", refusal, StringComparison.Ordinal);
        Assert.DoesNotContain("sig=", refusal, StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_shows_stars() => Assert.Equal("***", new AccessKey(KeyText).ToString());

    private string Token(string audience) => SasToken.Create(audience, AccessKey.Name, KeyText, _clock.GetUtcNow() + TimeSpan.FromMinutes(20));
}
