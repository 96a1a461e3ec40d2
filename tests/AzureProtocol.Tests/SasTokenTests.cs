using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class SasTokenTests
{
    private const string Audience = "sb://127.0.0.1:5680/hub1/$management";
    private static readonly DateTimeOffset Expiry = DateTimeOffset.FromUnixTimeSeconds(1795246949);
    private static readonly string Token = SasToken.Create(Audience, "RootManageSharedAccessKey", "c2VjcmV0", Expiry);

    [Fact]
    public void Signs_the_recorded_vector()
    {
        Assert.Contains($"&sig={Uri.EscapeDataString("DucbADdggPvlg2Fqtxoew34gN58as6isAFC+IL0Ch24=")}&", Token, StringComparison.Ordinal);
        Assert.StartsWith("SharedAccessSignature sr=sb%3A%2F%2F127.0.0.1%3A5680%2Fhub1%2F%24management&", Token, StringComparison.Ordinal);
    }

    [Fact]
    public void Verifies_its_own_token_and_gives_audience_and_expiry()
    {
        Assert.Equal(SasVerdict.Valid, Verify(Token, Expiry.AddSeconds(-1), out var audience, out var expiry));
        Assert.Equal(Audience, audience);
        Assert.Equal(Expiry, expiry);
    }

    [Fact]
    public void Refuses_a_token_at_its_expiry() => Assert.Equal(SasVerdict.Expired, Verify(Token, Expiry, out _, out _));

    [Fact]
    public void Refuses_another_key() =>
        Assert.Equal(
            SasVerdict.WrongSignature,
            Verify(SasToken.Create(Audience, "RootManageSharedAccessKey", "other", Expiry), Expiry.AddHours(-1), out _, out _)
        );

    [Fact]
    public void Refuses_another_audience_under_the_same_signature() =>
        Assert.Equal(SasVerdict.WrongSignature, Verify(Token.Replace("hub1", "hub2", StringComparison.Ordinal), Expiry.AddHours(-1), out _, out _));

    [Fact]
    public void Refuses_an_unknown_key_name() =>
        Assert.Equal(SasVerdict.UnknownKey, Verify(SasToken.Create(Audience, "nobody", "c2VjcmV0", Expiry), Expiry, out _, out _));

    [Theory]
    [InlineData("")]
    [InlineData("Bearer x")]
    [InlineData("SharedAccessSignature sr=a")]
    [InlineData("SharedAccessSignature sr=a&sig=!!&se=1&skn=n")]
    [InlineData("SharedAccessSignature sr=a&sig=AAAA&se=1&skn=n")]
    [InlineData("SharedAccessSignature sr=a&sig=DucbADdggPvlg2Fqtxoew34gN58as6isAFC%2BIL0Ch24%3D&se=-1&skn=n")]
    [InlineData("SharedAccessSignature sr=a&sig=DucbADdggPvlg2Fqtxoew34gN58as6isAFC%2BIL0Ch24%3D&se=999999999999999999&skn=n")]
    [InlineData("SharedAccessSignature nonsense")]
    public void Refuses_what_is_not_a_token(string token) => Assert.Equal(SasVerdict.Malformed, Verify(token, Expiry, out _, out _));

    private static SasVerdict Verify(string token, DateTimeOffset now, out string audience, out DateTimeOffset expiry) =>
        SasToken.Verify(token, static name => name == "RootManageSharedAccessKey" ? "c2VjcmV0" : null, now, out audience, out expiry);
}
