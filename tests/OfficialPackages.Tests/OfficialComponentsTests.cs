using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.OfficialPackages;

public sealed class OfficialComponentsTests
{
    private static readonly ClientFamily Family = OfficialComponents.WithPackageStore!;

    [Fact]
    public void Offer_has_every_strategy_that_the_catalogue_names() =>
        Assert.Equal(StrategyCatalog.OfOfficialPackages, OfficialComponents.Strategies.Select(static strategy => strategy.Name));

    [Fact]
    public void Family_is_the_official_one_with_the_store_and_the_version_of_the_package()
    {
        Assert.Equal((ClientFamily.Official, CheckpointStores.Package), (Family.Name, Family.CheckpointStore));
        Assert.Equal(5, Family.Packages.Count);
        Assert.StartsWith("EventHubThroughput.OfficialPackages.Tests ", Family.Packages[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Processor_that_asks_for_fencing_is_refused_by_a_store_that_writes_unconditionally()
    {
        await using var clients = Family.Connect(Settings(), new ClientOptions());

        var refused = Assert.Throws<InvalidOperationException>(() =>
            clients.CreateProcessor(new EventHubProcessorOptions { Identifier = "one" }, static _ => throw new InvalidOperationException("never opened"))
        );

        Assert.Contains("writes unconditionally", refused.Message, StringComparison.Ordinal);
        Assert.NotNull(
            clients.CreateProcessor(
                new EventHubProcessorOptions { Identifier = "one", Fencing = false },
                static _ => throw new InvalidOperationException("never opened")
            )
        );
    }

    private static MessagingSettings Settings()
    {
        var variables = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=Y2FuYXJ5;UseDevelopmentEmulator=true",
            ["EVENTHUB_NAME"] = "hub",
            ["STORAGE_CONNECTION_STRING"] = "AccountName=a;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:1/a",
        };
        return MessagingSettings.FromEnvironment(variables.GetValueOrDefault, SettingsScope.Processing).Require();
    }
}
