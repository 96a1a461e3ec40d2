using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class StorageConnectionStringTests
{
    private const string Secret = "Y2FuYXJ5LWluLXRoZS1rZXk=";

    [Fact]
    public void Reads_the_form_of_the_portal()
    {
        var settings = StorageConnectionString.Parse($"DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={Secret};EndpointSuffix=core.windows.net");

        Assert.Equal("acct", settings.AccountName);
        Assert.Equal(new Uri("https://acct.blob.core.windows.net"), settings.BlobEndpoint);
        Assert.True(settings.UseTls);
        Assert.Equal(Convert.FromBase64String(Secret), settings.AccountKey.ToArray());
    }

    [Fact]
    public void Reads_an_emulator_endpoint()
    {
        var settings = StorageConnectionString.Parse($"AccountName=devstoreaccount1;AccountKey={Secret};BlobEndpoint=http://127.0.0.1:1234/devstoreaccount1/;");

        Assert.Equal("http://127.0.0.1:1234/devstoreaccount1", settings.BlobEndpoint.AbsoluteUri);
        Assert.False(settings.UseTls);
    }

    [Fact]
    public void The_development_storage_is_parsed() =>
        Assert.Equal("http://127.0.0.1:10000/devstoreaccount1", StorageConnectionString.Parse("UseDevelopmentStorage=true").BlobEndpoint.AbsoluteUri);

    [Theory]
    [InlineData("AccountKey=Y2FuYXJ5LWluLXRoZS1rZXk=", "'AccountName' missing")]
    [InlineData("AccountName=a", "'AccountKey' missing")]
    [InlineData("AccountName=a;AccountKey=", "'AccountKey' missing")]
    [InlineData("AccountName=a;AccountKey=canary-in-the-key", "'AccountKey' is not base64")]
    [InlineData("AccountName=a;AccountName=b;AccountKey=Y2FuYXJ5", "a part is given twice")]
    [InlineData("canary", "a part is not of the form name=value")]
    [InlineData("AccountName=a;AccountKey=Y2FuYXJ5;BlobEndpoint=canary", "'BlobEndpoint' is not an http or https address")]
    [InlineData("AccountName=a;AccountKey=Y2FuYXJ5;BlobEndpoint=ftp://canary", "'BlobEndpoint' is not an http or https address")]
    [InlineData("AccountName=a;AccountKey=Y2FuYXJ5;BlobEndpoint=http://example.com/a", "'BlobEndpoint' is plain http to another machine, use https")]
    public void Names_the_wrong_part_and_never_its_value(string text, string message)
    {
        var exception = Assert.Throws<FormatException>(() => StorageConnectionString.Parse(text));

        Assert.Equal(message, exception.Message);
    }

    [Fact]
    public void Hides_the_key_in_its_text_form() =>
        Assert.DoesNotContain(Secret, StorageConnectionString.Parse($"AccountName=a;AccountKey={Secret}").ToString(), StringComparison.Ordinal);
}
