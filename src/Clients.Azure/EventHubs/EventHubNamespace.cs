using System.Globalization;
using Azure.Core;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Messaging.EventHubs.Producer;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients.Azure.Auth;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using SdkPartition = Azure.Messaging.EventHubs.PartitionProperties;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;
using SdkReceiver = Azure.Messaging.EventHubs.Primitives.PartitionReceiver;
using SdkReceiverOptions = Azure.Messaging.EventHubs.Primitives.PartitionReceiverOptions;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>An event hub: one connection, which writers and readers share. A processor opens connections of its own, as the package has it.</summary>
internal sealed class EventHubNamespace : IAsyncDisposable
{
    private readonly MessagingSettings settings;
    private readonly TokenCredential? credential;
    private readonly ClientOptions options;
    private readonly OfficialBlobAccount? storage;
    private readonly Func<BlobContainerClient, CheckpointStore>? storeOfPackage;
    private readonly ICheckpointStore? checkpoints;
    private readonly EventHubConnection connection;
    private readonly EventHubProducerClient management;
    private readonly string entity;
    private readonly string host;
    private readonly EventHubFailures failures;
    private readonly ILogger log;

    /// <param name="settings">The event hub; its key is null when <paramref name="credential"/> is used.</param>
    /// <param name="credential">The Entra ID credential, or null.</param>
    /// <param name="options">Retries.</param>
    /// <param name="storage">Where ownerships and checkpoints are; null for senders.</param>
    /// <param name="storeOfPackage">Makes a store of another package, which processors use; null for <see cref="ContainerCheckpointStore"/>.</param>
    public EventHubNamespace(
        MessagingSettings settings,
        TokenCredential? credential,
        ClientOptions options,
        OfficialBlobAccount? storage,
        Func<BlobContainerClient, CheckpointStore>? storeOfPackage
    )
    {
        this.settings = settings;
        this.credential = credential;
        this.options = options;
        this.storage = storage;
        this.storeOfPackage = storeOfPackage;
        log = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger(Log.EventHubs);
        entity = $"event hub '{settings.EventHubName}'";
        host = string.Create(CultureInfo.InvariantCulture, $"event hubs {settings.EventHub.Host}:{settings.Transport.PortOf(settings.EventHub)}");
        failures = new EventHubFailures(
            string.Create(CultureInfo.InvariantCulture, $"{settings.EventHub.Host}:{settings.Transport.PortOf(settings.EventHub)}"),
            options.Retry,
            options.TimeProvider,
            options.Notice
        );
        checkpoints = storage is null
            ? null
            : new BlobCheckpointStore(
                storage.GetContainer(settings.CheckpointContainer),
                storage.GetContainer(settings.CheckpointContainer, options.Writes),
                settings.EventHubNamespace,
                settings.EventHubName,
                settings.ConsumerGroup,
                options.TimeProvider,
                options.Notice,
                log
            );
        connection = credential is null
            ? new EventHubConnection(SdkConnectionString.Of(settings.EventHub), settings.EventHubName, ConnectionOptions())
            : new EventHubConnection(settings.EventHub.Host, settings.EventHubName, credential, ConnectionOptions());
        management = Producer();
    }

    public ICheckpointStore Checkpoints => checkpoints ?? throw new InvalidOperationException("The settings name no storage.");

    public async Task<Clients.EventHubs.EventHubProperties> GetPropertiesAsync(CancellationToken cancellationToken)
    {
        var hub = await AskAsync(token => management.GetEventHubPropertiesAsync(token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.EventHubProperties(hub.Name, hub.CreatedOn, hub.PartitionIds);
    }

    public async Task<Clients.EventHubs.PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken)
    {
        var partition = await AskAsync(token => management.GetPartitionPropertiesAsync(partitionId, token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.PartitionProperties(
            partition.Id,
            partition.BeginningSequenceNumber,
            partition.LastEnqueuedSequenceNumber,
            partition.LastEnqueuedOffsetString ?? string.Empty,
            partition.IsEmpty
        );
    }

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(string partitionId, long throughSequenceNumber, CancellationToken cancellationToken)
    {
        var receiver = new SdkReceiver(
            settings.ConsumerGroup,
            partitionId,
            SdkPosition.Earliest,
            connection,
            new SdkReceiverOptions { PrefetchCount = PartitionReading.Prefetch, RetryOptions = EventHubRetry.Of(options.Retry) }
        );
        return PartitionReading.ReadAsync(
            receiver,
            $"{entity} partition {partitionId}",
            failures,
            throughSequenceNumber,
            options.Retry.OperationTimeout,
            cancellationToken
        );
    }

    public IEventHubWriter CreateWriter() => new OfficialEventHubWriter(Producer(), entity, failures);

    // Its buffers and its wait for a full batch are the package's own, but written down: nothing of them is left to its version.
    public IBufferedEventWriter CreateBufferedWriter() =>
        new OfficialBufferedWriter(
            new EventHubBufferedProducerClient(
                connection,
                new EventHubBufferedProducerClientOptions
                {
                    MaximumWaitTime = TimeSpan.FromSeconds(1),
                    MaximumEventBufferLengthPerPartition = 1500,
                    MaximumConcurrentSendsPerPartition = 1,
                    RetryOptions = EventHubRetry.Of(options.Retry),
                }
            ),
            entity,
            failures
        );

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions processor, Func<IOwnedPartition, IPartitionHandler> open)
    {
        OptionLimits.Require(processor.Problems(), nameof(processor));
        var group = new CheckpointGroup(settings.EventHubNamespace, settings.EventHubName, settings.ConsumerGroup);
        var store = StoreFor(group, processor.Fencing);
        processor = processor with { Failing = GuardedCallback.Of(processor.Failing, nameof(processor.Failing), log) };
        var parts = new ProcessorParts()
        {
            Store = store,
            ReadCheckpoint = store is ContainerCheckpointStore own ? own.ReadAsync : Checkpoints.ReadCheckpointAsync,
            Ownerships = Checkpoints,
            Group = group,
            Settings = settings,
            Options = processor,
            SdkOptions = SdkOptionsOf(processor),
            Notice = options.Notice,
            Log = log,
            Open = open,
        };
        HandlingProcessor handling = credential is null ? new(parts, SdkConnectionString.Of(settings.EventHub)) : new(parts, credential);
        return new OfficialEventHubProcessor(handling, processor, entity, log);
    }

    public async ValueTask DisposeAsync()
    {
        await Closing.EndAsync(management.DisposeAsync).ConfigureAwait(false);
        await Closing.EndAsync(connection.DisposeAsync).ConfigureAwait(false);
    }

    private CheckpointStore StoreFor(CheckpointGroup group, bool fencing)
    {
        if (storeOfPackage is null || storage is null)
        {
            return new ContainerCheckpointStore(group, Checkpoints, fencing);
        }

        return fencing
            ? throw new InvalidOperationException("The package's checkpoint store writes unconditionally: it needs Fencing = false.")
            : storeOfPackage(storage.ClientOf(settings.CheckpointContainer, options.Retry));
    }

    private EventProcessorOptions SdkOptionsOf(EventHubProcessorOptions processor) =>
        new()
        {
            Identifier = processor.Identifier,
            PrefetchCount = processor.Prefetch,

            // Without events the handler is called as often: it can end a partition whose checkpoint was overtaken.
            MaximumWaitTime = processor.BalancingInterval,
            LoadBalancingUpdateInterval = processor.BalancingInterval,
            PartitionOwnershipExpirationInterval = processor.OwnershipExpiry,
            LoadBalancingStrategy = processor.Balancing == Balancing.Greedy ? LoadBalancingStrategy.Greedy : LoadBalancingStrategy.Balanced,
            DefaultStartingPosition = processor.StartingPosition == StartingPosition.Latest ? SdkPosition.Latest : SdkPosition.Earliest,
            TrackLastEnqueuedEventProperties = false,
            RetryOptions = EventHubRetry.Of(options.Retry),
            ConnectionOptions = ConnectionOptions(),
        };

    private EventHubConnectionOptions ConnectionOptions() =>
        new() { TransportType = settings.Transport == MessagingTransport.WebSockets ? EventHubsTransportType.AmqpWebSockets : EventHubsTransportType.AmqpTcp };

    private EventHubProducerClient Producer() => new(connection, new EventHubProducerClientOptions { RetryOptions = EventHubRetry.Of(options.Retry) });

    // The package ends after its own retries; a hub out of reach is asked again until the limit, as the built-in clients do.
    private async Task<T> AskAsync<T>(Func<CancellationToken, Task<T>> ask, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return await failures.RunAsync(entity, () => ask(cancellationToken), cancellationToken).ConfigureAwait(false);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.Unconnected)
            {
                Log.ConnectFailed(log, host, options.Retry.MaximumDelay, failure);
                await Task.Delay(options.Retry.MaximumDelay, options.TimeProvider, cancellationToken).ConfigureAwait(false);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.Unreachable)
            {
                Log.Unreachable(log, host, options.Retry.UnreachableLimit, failure);
                throw;
            }
        }
    }
}
