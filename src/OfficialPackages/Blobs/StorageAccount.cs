using Azure.Core;
using Azure.Storage.Blobs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.OfficialPackages.Blobs;

/// <summary>A storage account: one pipeline, at most <see cref="BuiltInClients.MostBlobConnections"/> connections, for all its containers.</summary>
/// <param name="account">The account; its key is null when <paramref name="credential"/> is used.</param>
/// <param name="credential">The Entra ID credential, or null.</param>
/// <param name="options">Retries and observers.</param>
internal sealed class StorageAccount(StorageConnectionString account, TokenCredential? credential, ClientOptions options) : IDisposable
{
    /// <summary>A container for the writes of a run, which are tried again as the options say of writes.</summary>
    public IBlobContainer GetContainer(string name) => throw new NotSupportedException($"{account} {credential} {options} {name}");

    /// <summary>The package's own client of a container, for its checkpoint store.</summary>
    /// <param name="name">The container.</param>
    /// <param name="retry">How its requests are tried again.</param>
    public BlobContainerClient ClientOf(string name, RetryOptions retry) => throw new NotSupportedException($"{name} {retry}");

    public void Dispose()
    {
    }
}
