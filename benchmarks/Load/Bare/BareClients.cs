using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using Azure.Messaging.ServiceBus;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.Clients;
using RetryOptions = EventHubThroughput.Clients.RetryOptions;

namespace EventHubThroughput.Load.Bare;

/// <summary>The clients of the official packages for one emulator, with the adapter's options but without the adapter.</summary>
internal sealed class BareClients : IAsyncDisposable
{
    private static readonly RetryOptions Retry = new();

    private readonly IReadOnlyDictionary<string, string> settings;
    private readonly EventHubConnection connection;
    private readonly ServiceBusClient serviceBus;
    private readonly HttpClient http;
    private readonly HttpClientTransport transport;
    private readonly BlobServiceClient storage;

    /// <param name="settings">The emulator's variables.</param>
    public BareClients(IReadOnlyDictionary<string, string> settings)
    {
        this.settings = settings;
        connection = new EventHubConnection(EventHubConnectionString, EventHubName);
        Producer = new EventHubProducerClient(connection, new EventHubProducerClientOptions { RetryOptions = EventHubRetry });
        serviceBus = new ServiceBusClient(
            settings["SERVICEBUS_CONNECTION_STRING"],
            new ServiceBusClientOptions
            {
                RetryOptions = new ServiceBusRetryOptions
                {
                    Mode = ServiceBusRetryMode.Exponential,
                    MaxRetries = Retry.MaximumRetries,
                    Delay = Retry.FirstDelay,
                    MaxDelay = Retry.MaximumDelay,
                    TryTimeout = Retry.TryTimeout,
                },
            }
        );
        Sender = serviceBus.CreateSender(settings["SERVICEBUS_QUEUE"]);
        http = new HttpClient(
            new SocketsHttpHandler
            {
                ActivityHeadersPropagator = null,
                AllowAutoRedirect = false,
                ConnectTimeout = TimeSpan.FromSeconds(10),
                MaxConnectionsPerServer = BuiltInClients.MostBlobConnections,
                PooledConnectionLifetime = TimeSpan.FromMinutes(10),
                UseCookies = false,
                UseProxy = false,
            },
            disposeHandler: true
        )
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        transport = new HttpClientTransport(http);
        storage = new BlobServiceClient(settings["STORAGE_CONNECTION_STRING"], BlobOptions());
        Archive = storage.GetBlobContainerClient(settings["STORAGE_CONTAINER"]);
    }

    /// <summary>The options of an upload in one request, as the adapter uploads. All calls may share them.</summary>
    public static BlobUploadOptions Upload { get; } =
        new()
        {
            TransferOptions = new StorageTransferOptions { InitialTransferSize = LargestBlob, MaximumTransferSize = LargestBlob },
        };

    public static EventHubsRetryOptions EventHubRetry =>
        new()
        {
            Mode = EventHubsRetryMode.Exponential,
            MaximumRetries = Retry.MaximumRetries,
            Delay = Retry.FirstDelay,
            MaximumDelay = Retry.MaximumDelay,
            TryTimeout = Retry.TryTimeout,
        };

    public string EventHubConnectionString => settings["EVENTHUB_CONNECTION_STRING"];

    public string EventHubName => settings["EVENTHUB_NAME"];

    public EventHubProducerClient Producer { get; }

    public ServiceBusSender Sender { get; }

    public BlobContainerClient Archive { get; }

    private static long LargestBlob => 256 * 1024 * 1024;

    /// <summary>The store of ownerships and checkpoints, over the container that the other families use.</summary>
    public BareCheckpointStore CreateCheckpointStore() => new(storage.GetBlobContainerClient(settings["CHECKPOINT_CONTAINER"]));

    public async ValueTask DisposeAsync()
    {
        await Producer.DisposeAsync();
        await connection.DisposeAsync();
        await serviceBus.DisposeAsync();
        transport.Dispose();
        http.Dispose();
    }

    private BlobClientOptions BlobOptions() =>
        new()
        {
            Transport = transport,
            TrimBlobNameSlashes = false,
            Retry =
            {
                Mode = RetryMode.Exponential,
                MaxRetries = Retry.MaximumRetries,
                Delay = Retry.FirstDelay,
                MaxDelay = Retry.MaximumDelay,
                NetworkTimeout = Retry.TryTimeout,
            },
        };
}
