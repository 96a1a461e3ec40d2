using System.Reflection;
using Azure.Core;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.ServiceBus;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.Azure.EventHubs;
using EventHubThroughput.Clients.Azure.Identity;
using EventHubThroughput.Clients.Azure.Logs;
using EventHubThroughput.Clients.Azure.ServiceBus;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure;

/// <summary>The clients of the official packages: one client per namespace and account, which everything created here shares.</summary>
public sealed class OfficialClients : IMessagingClients, IAccessProbe
{
    private readonly OfficialEventHub eventHubs;
    private readonly ServiceBusNamespace? serviceBus;
    private readonly OfficialBlobAccount? storage;
    private readonly ClientOptions options;
    private readonly ILoggerFactory? given;
    private readonly ILoggerFactory loggers;
    private readonly PackageLog? packageLog;
    private readonly GivenClients user;
    private readonly TokenCredential? credential;
    private readonly MessagingSettings settings;

    /// <summary>Creates the clients. Nothing is connected yet.</summary>
    /// <param name="settings">
    /// The addresses of the services. A service without a key uses Entra ID. Service Bus and storage may be missing if they are not used.
    /// </param>
    /// <param name="options">Retries and observers. The packages use their own clock.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is beyond its limits.</exception>
    public OfficialClients(MessagingSettings settings, ClientOptions options)
        : this(settings, options, new GivenClients()) { }

    /// <summary>Creates the clients, some of them over clients that the user has created. Nothing is connected yet.</summary>
    /// <param name="settings">The addresses of the services. Storage may be missing if the user's clients have it.</param>
    /// <param name="options">Retries and observers.</param>
    /// <param name="user">The user's clients.</param>
    internal OfficialClients(MessagingSettings settings, ClientOptions options, GivenClients user)
        : this(settings, options, user, storeOfPackage: null) { }

    private OfficialClients(MessagingSettings settings, ClientOptions options, GivenClients user, Func<BlobContainerClient, CheckpointStore>? storeOfPackage)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(options);
        OptionLimits.Require(options.Problems(), nameof(options));
        given = options.LoggerFactory;
        loggers = LimitedLoggerFactory.Over(options.LoggerFactory, options.TimeProvider);
        this.options = options.Guarded(loggers.CreateLogger(Log.Connections)) with { LoggerFactory = loggers };
        packageLog = PackageLog.To(given, options.TimeProvider);
        (this.user, this.settings) = (user, settings);
        credential = user.Credential ?? EntraId.CredentialFor(settings);
        storage = settings.Storage is { } account ? new OfficialBlobAccount(account, account.AccountKey.IsEmpty ? credential : null, this.options) : null;
        serviceBus = settings.ServiceBus is { } service
            ? new ServiceBusNamespace(service, settings.Transport, service.Key is null ? credential : null, this.options)
            : null;
        eventHubs = new OfficialEventHub(
            HubAddress.Of(settings, settings.EventHub.Key is null ? credential : null),
            this.options,
            storage?.GetCheckpoints(settings.CheckpointContainer, storeOfPackage) ?? CheckpointsOfUser(settings.CheckpointContainer)
        );
    }

    /// <summary>The family over Azure.Messaging.EventHubs, Azure.Messaging.ServiceBus and Azure.Storage.Blobs, which share Azure.Core.</summary>
    public static ClientFamily Family { get; } =
        new(ClientFamily.Official, static (settings, options) => new OfficialClients(settings, options))
        {
            TakesEntraId = true,
            Packages = Array.ConvertAll(
                [typeof(CheckpointStore), typeof(ServiceBusClient), typeof(BlobServiceClient), typeof(TokenCredential)],
                GetNameAndVersion
            ),
        };

    /// <summary>The same family, whose processors use the checkpoint store of another package.</summary>
    /// <param name="create">
    /// Creates the store over the container of the checkpoints. It writes unconditionally, so processors must not ask for fencing.
    /// </param>
    /// <param name="package">A type of that package.</param>
    public static ClientFamily WithCheckpointStore(Func<BlobContainerClient, CheckpointStore> create, Type package) =>
        Family with
        {
            Connect = (settings, options) => new OfficialClients(settings, options, new GivenClients(), create),
            CheckpointStore = CheckpointStores.Package,
            Packages = [.. Family.Packages, GetNameAndVersion(package)],
        };

    /// <inheritdoc/>
    public ICheckpointStore CheckpointStore => eventHubs.CheckpointStore;

    /// <inheritdoc/>
    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => eventHubs.GetEventHubPropertiesAsync(cancellationToken);

    /// <inheritdoc/>
    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) =>
        eventHubs.GetPartitionPropertiesAsync(partitionId, cancellationToken);

    /// <inheritdoc/>
    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) => eventHubs.ReadPartitionAsync(partitionId, afterSequenceNumber, throughSequenceNumber, cancellationToken);

    /// <inheritdoc/>
    public IEventHubWriter CreateEventHubWriter() => eventHubs.CreateEventHubWriter();

    /// <inheritdoc/>
    public IBufferedEventWriter CreateBufferedEventWriter() => eventHubs.CreateBufferedEventWriter();

    /// <inheritdoc/>
    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
        eventHubs.CreateProcessor(options, open);

    /// <summary>Creates the package's processor for the messages of a queue.</summary>
    /// <param name="entity">The queue.</param>
    /// <param name="concurrency">The most messages that are handled concurrently.</param>
    /// <param name="handler">Called for each message, which is completed afterwards.</param>
    internal OfficialMessageProcessor CreateMessageProcessor(string entity, int concurrency, Func<ReceivedMessage, CancellationToken, ValueTask> handler) =>
        (serviceBus ?? throw NotConfigured("service bus")).CreateProcessor(entity, concurrency, handler);

    /// <inheritdoc/>
    public IMessageSender CreateMessageSender(string entity) => (serviceBus ?? throw NotConfigured("service bus")).CreateSender(entity);

    /// <inheritdoc/>
    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) =>
        (serviceBus ?? throw NotConfigured("service bus")).CreateReceiver(entity, options);

    /// <inheritdoc/>
    public IBlobContainer GetBlobContainer(string name) =>
        storage?.GetContainer(name, options.Writes) ?? ContainerOfUser(name) ?? throw NotConfigured("storage");

    /// <inheritdoc/>
    public Task OpenPartitionAsync(string partitionId, CancellationToken cancellationToken) => eventHubs.OpenPartitionAsync(partitionId, cancellationToken);

    /// <inheritdoc/>
    public async Task<long> OpenSenderAsync(string entity, CancellationToken cancellationToken)
    {
        var sender = (serviceBus ?? throw NotConfigured("service bus")).CreateSender(entity);
        await using (sender.ConfigureAwait(false))
        {
            return await sender.GetBatchLimitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task<DateTimeOffset?> RequestTokenAsync(ProbedService service, CancellationToken cancellationToken)
    {
        var hasKey = service switch
        {
            ProbedService.EventHubs => settings.EventHub.Key is not null,
            ProbedService.ServiceBus => settings.ServiceBus is not { Key: null },
            _ => settings.Storage is not { AccountKey.IsEmpty: true },
        };
        return hasKey || credential is null ? null : await EntraId.RequestAsync(credential, service, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Closes the connections. Clients that were created here must not be used afterwards.</summary>
    public async ValueTask DisposeAsync()
    {
        await eventHubs.DisposeAsync().ConfigureAwait(false);
        if (serviceBus is not null)
        {
            await serviceBus.DisposeAsync().ConfigureAwait(false);
        }

        storage?.Dispose();
        packageLog?.Dispose();
        if (loggers != given)
        {
            // Writes suppressed lines. The caller's factory stays open.
            loggers.Dispose();
        }
    }

    private OfficialBlobContainer? ContainerOfUser(string name) => user.GetContainer(name) is { } client ? OfficialBlobContainer.Over(client, options) : null;

    private CheckpointContainer? CheckpointsOfUser(string name) =>
        ContainerOfUser(name) is { } container ? new CheckpointContainer(container, container) : null;

    private static string GetNameAndVersion(Type type)
    {
        var version = type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return $"{type.Assembly.GetName().Name} {version?.Split('+', 2)[0]}";
    }

    private static InvalidOperationException NotConfigured(string what) => new($"The settings name no {what}.");
}
