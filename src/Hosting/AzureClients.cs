using Azure.Core;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients.Azure;
using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Hosting;

/// <summary>
/// Finds the clients of the Azure packages among the services of the host: those with the name of the processing as key, then those without a key.
/// </summary>
internal static class AzureClients
{
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name of the processing.</param>
    public static GivenClients Find(IServiceProvider services, string name) =>
        new()
        {
            Credential = Find<TokenCredential>(services, name) ?? services.GetService<TokenCredential>(),
            Storage = Find<BlobServiceClient>(services, name) ?? services.GetService<BlobServiceClient>(),
            // By key only: without one it could be any container.
            Checkpoints = Find<BlobContainerClient>(services, name),
        };

    private static T? Find<T>(IServiceProvider services, string name)
        where T : class => services is IKeyedServiceProvider keyed ? keyed.GetKeyedService<T>(name) : null;
}
