using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class MessagingConnectionStringTests
{
    private const string Secret = "c2VjcmV0LWtleQ==";

    [Fact]
    public void Reads_every_part()
    {
        var parsed = MessagingConnectionString.Parse(
            $"Endpoint=sb://127.0.0.1:5680/;SharedAccessKeyName=Root;SharedAccessKey={Secret};EntityPath=hub;UseDevelopmentEmulator=true"
        );
        Assert.Equal("127.0.0.1", parsed.Host);
        Assert.Equal(5680, parsed.Port);
        Assert.Equal(5680, parsed.EffectivePort);
        Assert.Equal("Root", parsed.KeyName);
        Assert.Equal(Secret, parsed.Key);
        Assert.Equal("hub", parsed.EntityPath);
        Assert.True(parsed.UseDevelopmentEmulator);
        Assert.True(parsed.IsLoopback);
        Assert.Equal("sb://127.0.0.1:5680/", parsed.Audience);
    }

    [Theory]
    [InlineData("", 5671)]
    [InlineData(";UseDevelopmentEmulator=false", 5671)]
    [InlineData(";UseDevelopmentEmulator=true", 5672)]
    public void Takes_the_usual_port_when_none_is_named(string suffix, int port)
    {
        var parsed = MessagingConnectionString.Parse($"Endpoint=sb://ns.example.net/;SharedAccessKeyName=Root;SharedAccessKey={Secret}{suffix}");
        Assert.Null(parsed.Port);
        Assert.Equal(port, parsed.EffectivePort);
        Assert.Equal("sb://ns.example.net/", parsed.Audience);
        Assert.False(parsed.IsLoopback);
    }

    [Theory]
    [InlineData("", "'Endpoint' missing")]
    [InlineData("SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0LWtleQ==", "'Endpoint' missing")]
    [InlineData("Endpoint=https://h;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0LWtleQ==", "'Endpoint' must begin with sb://")]
    [InlineData("Endpoint=sb://h/x;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0LWtleQ==", "'Endpoint' is not of the form sb://HOST[:PORT]")]
    [InlineData("Endpoint=sb://h:0x1;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0LWtleQ==", "'Endpoint' is not of the form sb://HOST[:PORT]")]
    [InlineData("Endpoint=sb://h;SharedAccessKey=c2VjcmV0LWtleQ==", "'SharedAccessKeyName' missing")]
    [InlineData("Endpoint=sb://h;SharedAccessKeyName=Root", "'SharedAccessKey' missing")]
    [InlineData("Endpoint=sb://h;SharedAccessKeyName=Root;SharedAccessKey=", "'SharedAccessKey' missing")]
    [InlineData("Endpoint=sb://h;SharedAccessKeyName=Root;c2VjcmV0LWtleQ", "a part is not of the form Name=Value")]
    [InlineData("Endpoint=sb://h;Endpoint=sb://i;SharedAccessKeyName=Root", "'Endpoint' given twice")]
    [InlineData(
        "Endpoint=sb://h;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0LWtleQ==;UseDevelopmentEmulator=yes",
        "'UseDevelopmentEmulator' is neither true nor false"
    )]
    public void A_parse_error_names_the_wrong_part_and_never_its_value(string text, string problem)
    {
        var thrown = Assert.Throws<FormatException>(() => MessagingConnectionString.Parse(text));
        Assert.Equal(problem, thrown.Message);
        Assert.DoesNotContain("c2Vj", thrown.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Masks_the_key_in_its_text()
    {
        var text = MessagingConnectionString.Parse($"Endpoint=sb://h;SharedAccessKeyName=Root;SharedAccessKey={Secret};EntityPath=e").ToString();
        Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
        Assert.Equal("Endpoint=sb://h/;SharedAccessKeyName=Root;SharedAccessKey=***;EntityPath=e", text);
    }
}
