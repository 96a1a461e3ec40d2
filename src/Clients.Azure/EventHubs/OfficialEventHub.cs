using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Messaging.EventHubs.Producer;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using SdkCheckpointStore = Azure.Messaging.EventHubs.Primitives.CheckpointStore;
using SdkPartition = Azure.Messaging.EventHubs.PartitionProperties;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;
using SdkReceiver = Azure.Messaging.EventHubs.Primitives.PartitionReceiver;
using SdkReceiverOptions = Azure.Messaging.EventHubs.Primitives.PartitionReceiverOptions;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// An event hub over the package: one connection, which writers and readers share. A processor opens its own connections, as the package requires.
/// </summary>
internal sealed class OfficialEventHub : IEventHubClients
{
    // The service refuses a link after it has answered its attach.
    private static readonly TimeSpan RefusalLimit = TimeSpan.FromSeconds(1);

    private readonly HubAddress address;
    private readonly ClientOptions options;
    private readonly CheckpointContainer? container;
    private readonly ICheckpointStore? checkpoints;
    private readonly EventHubConnection connection;
    private readonly EventHubProducerClient management;
    private readonly string entity;
    private readonly EventHubFailures failures;
    private readonly HubQueries queries;
    private readonly ILogger log;

    /// <param name="address">The event hub and how to connect to it.</param>
    /// <param name="options">Retries.</param>
    /// <param name="container">The container of ownerships and checkpoints. Null for senders.</param>
    public OfficialEventHub(HubAddress address, ClientOptions options, CheckpointContainer? container)
    {
        this.address = address;
        this.options = options;
        this.container = container;
        log = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger(Log.EventHubs);
        entity = $"event hub '{address.EventHubName}'";
        failures = new EventHubFailures(address.Server, options.Retry, options.TimeProvider, options.Notice);
        queries = new HubQueries(entity, $"event hubs {address.Server}", failures, options.Retry, options.TimeProvider, log);
        checkpoints = container is null
            ? null
            : new BlobCheckpointStore(
                container.All,
                container.Writes,
                address.FullyQualifiedNamespace,
                address.EventHubName,
                address.ConsumerGroup,
                options.TimeProvider,
                options.Notice,
                log
            );
        connection = address.Connect();
        management = Producer();
    }

    /// <summary>Creates an event hub whose ownerships and checkpoints are in a container of the user.</summary>
    /// <param name="address">The event hub and how to connect to it.</param>
    /// <param name="checkpoints">The container, which still belongs to the user.</param>
    /// <param name="options">Retries. What its callbacks throw is logged.</param>
    public static OfficialEventHub Over(HubAddress address, BlobContainerClient checkpoints, ClientOptions options)
    {
        var guarded = options.Guarded((options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger(Log.Connections));
        var blobs = OfficialBlobContainer.Over(checkpoints, guarded);
        return new OfficialEventHub(address, guarded, new CheckpointContainer(blobs, blobs));
    }

    public ICheckpointStore CheckpointStore => checkpoints ?? throw new InvalidOperationException("The settings name no storage.");

    public async Task<Clients.EventHubs.EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken)
    {
        var hub = await queries.AskAsync(token => management.GetEventHubPropertiesAsync(token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.EventHubProperties(hub.Name, hub.CreatedOn, hub.PartitionIds);
    }

    public async Task<Clients.EventHubs.PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken)
    {
        var partition = await queries.AskAsync(token => management.GetPartitionPropertiesAsync(partitionId, token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.PartitionProperties(
            partition.Id,
            partition.BeginningSequenceNumber,
            partition.LastEnqueuedSequenceNumber,
            partition.LastEnqueuedOffsetString ?? string.Empty,
            partition.IsEmpty
        );
    }

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    )
    {
        return PartitionReading.ReadAsync(
            CreateReader(partitionId, PartitionReading.Prefetch, afterSequenceNumber),
            $"{entity} partition {partitionId}",
            failures,
            afterSequenceNumber,
            throughSequenceNumber,
            options.Retry.OperationTimeout,
            cancellationToken
        );
    }

    /// <summary>Opens a link that reads a partition without an owner level, and closes it.</summary>
    public async Task OpenPartitionAsync(string partitionId, CancellationToken cancellationToken)
    {
        var receiver = CreateReader(partitionId, prefetch: 0);
        await using (receiver.ConfigureAwait(false))
        {
            // The package opens its link when it first receives. An event that arrives remains in the event hub.
            await failures.RunAsync(entity, () => receiver.ReceiveBatchAsync(1, RefusalLimit, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
    }

    public IEventHubWriter CreateEventHubWriter() => new OfficialEventHubWriter(Producer(), entity, failures);

    // The buffers and the wait for a full batch are those of the package, but explicit: nothing depends on its version.
    public IBufferedEventWriter CreateBufferedEventWriter() =>
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
        var group = new CheckpointGroup(address.FullyQualifiedNamespace, address.EventHubName, address.ConsumerGroup);
        var store = StoreFor(group, processor.Fencing);
        processor = processor with { Failing = GuardedCallback.Of(processor.Failing, nameof(processor.Failing), log) };
        var parts = new ProcessorParts()
        {
            Store = store,
            ReadCheckpoint = store is ContainerCheckpointStore own ? own.ReadAsync : CheckpointStore.ReadCheckpointAsync,
            Ownerships = CheckpointStore,
            Group = group,
            Address = address,
            Container = container!.Name,
            Options = processor,
            SdkOptions = GetSdkOptions(processor),
            Notice = options.Notice,
            Log = log,
            Open = open,
        };
        HandlingProcessor handling = address.Credential is { } credential ? new(parts, credential) : new(parts, address.ConnectionString!);
        return new OfficialEventHubProcessor(handling, processor, entity, failures, log);
    }

    public async ValueTask DisposeAsync()
    {
        await Closing.EndAsync(management.DisposeAsync).ConfigureAwait(false);
        await Closing.EndAsync(connection.DisposeAsync).ConfigureAwait(false);
    }

    private SdkCheckpointStore StoreFor(CheckpointGroup group, bool fencing)
    {
        if (container?.StoreOfPackage is not { } create)
        {
            return new ContainerCheckpointStore(group, CheckpointStore, fencing);
        }

        return fencing ? throw new InvalidOperationException("The package's checkpoint store writes unconditionally: it needs Fencing = false.") : create();
    }

    private EventProcessorOptions GetSdkOptions(EventHubProcessorOptions processor) =>
        new()
        {
            Identifier = processor.Identifier,
            PrefetchCount = processor.Prefetch,

            // The handler is also called without events, at this interval: it can end a partition whose checkpoint was overtaken.
            MaximumWaitTime = processor.BalancingInterval,
            LoadBalancingUpdateInterval = processor.BalancingInterval,
            PartitionOwnershipExpirationInterval = processor.OwnershipExpiry,
            LoadBalancingStrategy = processor.Balancing == Balancing.Greedy ? LoadBalancingStrategy.Greedy : LoadBalancingStrategy.Balanced,
            DefaultStartingPosition = processor.StartingPosition == StartingPosition.Latest ? SdkPosition.Latest : SdkPosition.Earliest,
            TrackLastEnqueuedEventProperties = false,
            RetryOptions = EventHubRetry.Of(options.Retry),
            ConnectionOptions = address.Connection,
        };

    private SdkReceiver CreateReader(string partitionId, int prefetch, long after = -1) =>
        new(
            address.ConsumerGroup,
            partitionId,
            after < 0 ? SdkPosition.Earliest : SdkPosition.FromSequenceNumber(after, isInclusive: false),
            connection,
            new SdkReceiverOptions { PrefetchCount = prefetch, RetryOptions = EventHubRetry.Of(options.Retry) }
        );

    private EventHubProducerClient Producer() => new(connection, new EventHubProducerClientOptions { RetryOptions = EventHubRetry.Of(options.Retry) });
}
