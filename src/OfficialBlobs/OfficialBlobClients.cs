using Azure.Storage.Blobs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;

namespace EventHubThroughput.OfficialBlobs;

/// <summary>The official client of Blob storage beside the built-in clients of Event Hubs and Service Bus.</summary>
public static class OfficialBlobClients
{
    /// <summary>The family of every build that lets the package speak to storage: archive, dead letters, ownerships and checkpoints.</summary>
    public static ClientFamily Family { get; } =
        new(ClientFamily.BlobsOfficial, Connect)
        {
            EventHubs = ClientFamily.BuiltIn.Name,
            EntraIdFor = [EnvironmentReader.StorageAccountUrl],
            Describe = static options => PackageDescription.Of([typeof(BlobServiceClient).Assembly], options),
        };

    private static BuiltInClients Connect(MessagingSettings settings, ClientOptions options) =>
        new(settings, new BuiltInClientOptions(options) { ConnectStorage = account => AccountOf(account, options) });

    private static OfficialBlobAccount AccountOf(StorageConnectionString account, ClientOptions options) =>
        new(account, account.AccountKey.IsEmpty ? EntraId.NewCredential() : null, options);
}
