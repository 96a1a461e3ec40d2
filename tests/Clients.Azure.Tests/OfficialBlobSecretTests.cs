using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>The package logs more than the client requests. All of it is searched for keys and signatures.</summary>
public sealed class OfficialBlobSecretTests(BlobFixture fixture) : IClassFixture<BlobFixture>
{
    [Fact]
    public async Task No_key_and_no_signature_is_in_any_log_or_error_of_the_package()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var wrong = StorageConnectionString.Parse($"AccountName=devstoreaccount1;AccountKey=Y2FuYXJ5;BlobEndpoint={fixture.Endpoint}");
        using var said = new LoggedText();

        await UploadAsync(fixture.Settings, cancellationToken);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(fixture.Settings with { Storage = wrong }, cancellationToken));

        string[] secrets = [Convert.ToBase64String(fixture.Settings.Storage!.AccountKey.Span), "Y2FuYXJ5", SharedKeySignature.Scheme];
        Assert.Contains(said.Lines, static line => line.Contains("container/secret", StringComparison.Ordinal));
        Assert.All(said.Lines.Append(refused.ToString()), line => Assert.DoesNotContain(secrets, secret => line.Contains(secret, StringComparison.Ordinal)));
    }

    private static async Task UploadAsync(MessagingSettings settings, CancellationToken cancellationToken)
    {
        await using var clients = OfficialClients.Family.Connect(settings, new ClientOptions());
        await clients.GetBlobContainer("container").UploadAsync(new BlobUpload { Name = "secret", Content = new byte[] { 1 } }, cancellationToken);
    }
}
