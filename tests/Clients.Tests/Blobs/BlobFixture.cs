using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>A blob endpoint of our own with an empty container, and a client of it.</summary>
public sealed class BlobFixture : IAsyncLifetime
{
    private BlobService? service;
    private BlobAccount? account;

    internal BlobService Service => service!;

    internal BlobAccount Account => account!;

    internal MessagingSettings Settings =>
        new()
        {
            // No event hub is there, and none is asked for.
            EventHub = MessagingConnectionString.Parse("Endpoint=sb://127.0.0.1;SharedAccessKeyName=none;SharedAccessKey=bm9uZQ==;UseDevelopmentEmulator=true"),
            EventHubName = "none",
            Storage = StorageConnectionString.Parse(Service.ConnectionString),
        };

    internal IBlobContainer Container => Account.GetContainer("container");

    public async ValueTask InitializeAsync()
    {
        service = await BlobService.StartAsync(
            new BlobServiceOptions { Key = Guid.NewGuid().ToByteArray(), Containers = ["container"] },
            CancellationToken.None
        );
        account = new BlobAccount(StorageConnectionString.Parse(service.ConnectionString), new BlobAccountOptions());
    }

    public async ValueTask DisposeAsync()
    {
        account?.Dispose();
        if (service is not null)
        {
            await service.DisposeAsync();
        }
    }
}
