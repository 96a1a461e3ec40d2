using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>An emulator with an empty container, and a client of it.</summary>
public sealed class BlobFixture : IAsyncLifetime
{
    private EmulatorHost? emulator;
    private BlobAccount? account;

    internal string ConnectionString => emulator!.StorageConnectionString;

    internal Uri Endpoint => StorageConnectionString.Parse(ConnectionString).BlobEndpoint;

    internal BlobAccount Account => account!;

    internal MessagingSettings Settings =>
        new()
        {
            // No event hub is there, and none is asked for.
            EventHub = MessagingConnectionString.Parse("Endpoint=sb://127.0.0.1;SharedAccessKeyName=none;SharedAccessKey=bm9uZQ==;UseDevelopmentEmulator=true"),
            EventHubName = "none",
            Storage = StorageConnectionString.Parse(ConnectionString),
        };

    internal IBlobContainer Container => Account.GetContainer("container");

    public async ValueTask InitializeAsync()
    {
        emulator = await EmulatorHost.StartAsync(
            new EmulatorOptions { Entities = EntitySet.Default with { Containers = ["container"] } },
            CancellationToken.None
        );
        account = new BlobAccount(StorageConnectionString.Parse(ConnectionString), new BlobAccountOptions());
    }

    public async ValueTask DisposeAsync()
    {
        account?.Dispose();
        if (emulator is not null)
        {
            await emulator.DisposeAsync();
        }
    }
}
