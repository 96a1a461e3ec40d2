using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Storage;
using Azure.Storage.Blobs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.Azure.Http;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients.Azure.Blobs;

/// <summary>A storage account: at most <see cref="BuiltInClients.MostBlobConnections"/> connections, for all its containers.</summary>
internal sealed class OfficialBlobAccount : IBlobAccount
{
    private readonly StorageConnectionString account;
    private readonly TokenCredential? credential;
    private readonly ClientOptions options;
    private readonly HttpClient http;
    private readonly HttpClientTransport transport;
    private readonly StorageFailures failures;

    /// <param name="account">The account. Its key is null when <paramref name="credential"/> is used.</param>
    /// <param name="credential">The Entra ID credential, or null.</param>
    /// <param name="options">Retries and observers.</param>
    public OfficialBlobAccount(StorageConnectionString account, TokenCredential? credential, ClientOptions options)
    {
        this.account = account;
        this.credential = credential;
        this.options = options;
        http = PackageHttp.CreateClient(account.BlobEndpoint.IsLoopback, BuiltInClients.MostBlobConnections);
        transport = new HttpClientTransport(http);
        failures = new StorageFailures(account.BlobEndpoint, options);
    }

    /// <inheritdoc/>
    public IBlobContainer GetContainer(string name, RetryOptions? retry = null) => new OfficialBlobContainer(GetClient(name, retry ?? options.Retry), failures);

    /// <summary>Returns the container of ownerships and checkpoints.</summary>
    /// <param name="name">The container.</param>
    /// <param name="storeOfPackage">Creates a store of another package over the package's client. Or null.</param>
    public CheckpointContainer GetCheckpoints(string name, Func<BlobContainerClient, CheckpointStore>? storeOfPackage) =>
        new(GetContainer(name), GetContainer(name, options.Writes))
        {
            StoreOfPackage = storeOfPackage is null ? null : () => storeOfPackage(GetClient(name, options.Retry)),
        };

    private BlobContainerClient GetClient(string name, RetryOptions retry)
    {
        var address = new Uri($"{account.BlobEndpoint.AbsoluteUri.TrimEnd('/')}/{Uri.EscapeDataString(name)}");
        return credential is null
            ? new BlobContainerClient(
                address,
                new StorageSharedKeyCredential(account.AccountName, Convert.ToBase64String(account.AccountKey.Span)),
                GetOptions(retry)
            )
            : new BlobContainerClient(address, credential, GetOptions(retry));
    }

    public void Dispose()
    {
        transport.Dispose();
        http.Dispose();
    }

    private BlobClientOptions GetOptions(RetryOptions retry)
    {
        // By default "a/" would be written as "a".
        var sdk = PackageHttp.Apply(new BlobClientOptions { TrimBlobNameSlashes = false }, transport, retry);
        if (StorageWatch.IsNeeded(options))
        {
            sdk.AddPolicy(new StorageWatch(options), HttpPipelinePosition.BeforeTransport);
        }

        return sdk;
    }
}
