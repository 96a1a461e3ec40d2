using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Authorization;

public sealed class AccessPoliciesTests
{
    private const string KeyText = "c2VjcmV0LWtleS1vZi10ZXN0cw==";
    private static readonly AccessPolicy Reader = new("reader", AccessRights.Listen);
    private static readonly AccessPolicy Writer = new("writer", AccessRights.Send);

    private readonly VirtualClock _clock = new();
    private readonly AccessPolicies _policies = new(new AccessKey(KeyText), [Reader, Writer]);

    [Theory]
    [InlineData("reader=Listen", AccessRights.Listen)]
    [InlineData("reader=send", AccessRights.Send)]
    [InlineData("reader=Listen+Send", AccessRights.Listen | AccessRights.Send)]
    public void A_policy_is_parsed_with_its_rights(string text, AccessRights rights)
    {
        Assert.Equal(new AccessPolicy("reader", rights), AccessPolicy.Parse(text, out var problem));
        Assert.Null(problem);
    }

    [Fact]
    public void The_access_key_has_all_rights_and_a_policy_its_own()
    {
        Assert.Equal(AccessRights.All, _policies.GetRights(AccessKey.Name, KeyText));
        Assert.Equal(AccessRights.Listen, _policies.GetRights("reader", _policies.RevealKeyOf(Reader)));
        Assert.Equal(AccessRights.None, _policies.GetRights("reader", KeyText));
        Assert.Equal(AccessRights.None, _policies.GetRights("reader", _policies.RevealKeyOf(Writer)));
        Assert.Equal(AccessRights.None, _policies.GetRights("unknown", KeyText));
    }

    [Fact]
    public void The_key_of_a_policy_is_the_same_after_a_restart_with_the_same_access_key()
    {
        Assert.Equal(_policies.RevealKeyOf(Reader), new AccessPolicies(new AccessKey(KeyText), [Reader]).RevealKeyOf(Reader));
        Assert.NotEqual(_policies.RevealKeyOf(Reader), new AccessPolicies(AccessKey.CreateRandom(), [Reader]).RevealKeyOf(Reader));
    }

    [Fact]
    public void A_token_grants_the_rights_of_its_policy_only()
    {
        var grants = new ConnectionGrants(_policies, _clock, AccessRights.None);

        Assert.Null(grants.PutToken("sb://127.0.0.1/hub", Token(Reader, "sb://127.0.0.1/hub")));

        Assert.True(grants.Allows("hub", AccessRights.Listen));
        Assert.True(grants.Allows("hub", AccessRights.All));
        Assert.False(grants.Allows("hub", AccessRights.Send));
        Assert.False(grants.Allows("hub", AccessRights.Manage));
    }

    [Fact]
    public void A_later_token_for_the_same_entity_replaces_the_rights()
    {
        var grants = new ConnectionGrants(_policies, _clock, AccessRights.None);
        Assert.Null(grants.PutToken("sb://127.0.0.1/hub", Token(Reader, "sb://127.0.0.1/hub")));

        Assert.Null(grants.PutToken("sb://127.0.0.1/hub", Token(Writer, "sb://127.0.0.1/hub")));

        Assert.True(grants.Allows("hub", AccessRights.Send));
        Assert.False(grants.Allows("hub", AccessRights.Listen));
    }

    [Fact]
    public void A_connection_with_name_and_key_has_the_rights_of_its_policy_for_every_entity()
    {
        var grants = new ConnectionGrants(_policies, _clock, AccessRights.Send);

        Assert.True(grants.Allows("queue", AccessRights.Send));
        Assert.False(grants.Allows("queue", AccessRights.Listen));
    }

    private string Token(AccessPolicy policy, string audience) =>
        SasToken.Create(audience, policy.Name, _policies.RevealKeyOf(policy), _clock.GetUtcNow().AddMinutes(5));
}
