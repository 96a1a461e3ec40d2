using Azure.Core;
using Azure.Storage.Blobs;

namespace EventHubThroughput.Hosting;

/// <summary>The clients of the Azure packages that the services of the host have: those of the processing's name first, then those without a name.</summary>
internal sealed record AzureClients
{
    public TokenCredential? Credential { get; private init; }

    public BlobServiceClient? Storage { get; private init; }

    /// <summary>The container of ownerships and checkpoints. By name only: one without a name could be any container.</summary>
    public BlobContainerClient? Checkpoints { get; private init; }

    public static AzureClients Of(IServiceProvider services, string name) =>
        new()
        {
            Credential = Find<TokenCredential>(services, name) ?? (TokenCredential?)services.GetService(typeof(TokenCredential)),
            Storage = Find<BlobServiceClient>(services, name) ?? (BlobServiceClient?)services.GetService(typeof(BlobServiceClient)),
            Checkpoints = Find<BlobContainerClient>(services, name),
        };

    private static T? Find<T>(IServiceProvider services, string name)
        where T : class => services is Microsoft.Extensions.DependencyInjection.IKeyedServiceProvider keyed ? (T?)keyed.GetKeyedService(typeof(T), name) : null;
}
