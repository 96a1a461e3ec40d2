using Azure.Core;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.OfficialBlobs;
using EventHubThroughput.OfficialPackages.Auth;
using EventHubThroughput.OfficialPackages.Lifetime;
using SdkPartition = Azure.Messaging.EventHubs.PartitionProperties;
using SdkPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;
using SdkReceiver = Azure.Messaging.EventHubs.Primitives.PartitionReceiver;

namespace EventHubThroughput.OfficialPackages.EventHubs;

/// <summary>An event hub: one connection, which writers and readers share. A processor opens connections of its own, as the package has it.</summary>
internal sealed class EventHubNamespace : IAsyncDisposable
{
    private readonly MessagingSettings settings;
    private readonly TokenCredential? credential;
    private readonly ClientOptions options;
    private readonly OfficialBlobAccount? storage;
    private readonly ICheckpointStore? checkpoints;
    private readonly EventHubConnection connection;
    private readonly EventHubProducerClient management;
    private readonly string entity;

    /// <param name="settings">The event hub; its key is null when <paramref name="credential"/> is used.</param>
    /// <param name="credential">The Entra ID credential, or null.</param>
    /// <param name="options">Retries.</param>
    /// <param name="storage">Where ownerships and checkpoints are; null for senders.</param>
    public EventHubNamespace(MessagingSettings settings, TokenCredential? credential, ClientOptions options, OfficialBlobAccount? storage)
    {
        this.settings = settings;
        this.credential = credential;
        this.options = options;
        this.storage = storage;
        entity = $"event hub '{settings.EventHubName}'";
        checkpoints = storage is null
            ? null
            : new Clients.EventHubs.BlobCheckpointStore(
                storage.GetContainer(settings.CheckpointContainer),
                storage.GetContainer(settings.CheckpointContainer, options.Writes),
                settings.EventHubNamespace,
                settings.EventHubName,
                settings.ConsumerGroup,
                options.TimeProvider,
                options.Notice
            );
        connection = credential is null
            ? new EventHubConnection(SdkConnectionString.Of(settings.EventHub), settings.EventHubName, ConnectionOptions())
            : new EventHubConnection(settings.EventHub.Host, settings.EventHubName, credential, ConnectionOptions());
        management = Producer();
    }

    public ICheckpointStore CheckpointStore => checkpoints ?? throw new InvalidOperationException("The settings name no storage.");

    public async Task<Clients.EventHubs.EventHubProperties> GetPropertiesAsync(CancellationToken cancellationToken)
    {
        var hub = await AskAsync(token => management.GetEventHubPropertiesAsync(token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.EventHubProperties(hub.Name, hub.CreatedOn, hub.PartitionIds);
    }

    // The last offset has changed its type from one version of the package to the next; nothing here reads it.
    public async Task<Clients.EventHubs.PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken)
    {
        var partition = await AskAsync(token => management.GetPartitionPropertiesAsync(partitionId, token), cancellationToken).ConfigureAwait(false);
        return new Clients.EventHubs.PartitionProperties(
            partition.Id,
            partition.BeginningSequenceNumber,
            partition.LastEnqueuedSequenceNumber,
            string.Empty,
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
            new Azure.Messaging.EventHubs.Primitives.PartitionReceiverOptions
            {
                PrefetchCount = PartitionReading.Prefetch,
                RetryOptions = EventHubRetry.Of(options.Retry),
            }
        );
        return PartitionReading.ReadAsync(
            receiver,
            $"{entity} partition {partitionId}",
            throughSequenceNumber,
            options.Retry.OperationTimeout,
            cancellationToken
        );
    }

    public IEventHubWriter CreateWriter() => new OfficialEventHubWriter(Producer(), entity);

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
            entity
        );

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions processor, Func<IOwnedPartition, IPartitionHandler> open)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(processor.OwnershipExpiry, processor.BalancingInterval * 2, nameof(processor));
        var parts = new ProcessorParts()
        {
            Store = new Azure.Messaging.EventHubs.Primitives.BlobCheckpointStore(
                (storage ?? throw new InvalidOperationException("The settings name no storage.")).ClientOf(settings.CheckpointContainer, options.Retry)
            ),
            Checkpoints = CheckpointStore,
            Settings = settings,
            Options = processor,
            SdkOptions = SdkOptionsOf(processor),
            Notice = options.Notice,
            Open = open,
        };
        HandlingProcessor handling = credential is null ? new(parts, SdkConnectionString.Of(settings.EventHub)) : new(parts, credential);
        return new OfficialEventHubProcessor(handling, processor, entity);
    }

    public async ValueTask DisposeAsync()
    {
        await Closing.EndAsync(management.DisposeAsync).ConfigureAwait(false);
        await Closing.EndAsync(connection.DisposeAsync).ConfigureAwait(false);
    }

    private EventProcessorOptions SdkOptionsOf(EventHubProcessorOptions processor) =>
        new()
        {
            Identifier = processor.Identifier,
            PrefetchCount = processor.Prefetch,
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

    private Task<T> AskAsync<T>(Func<CancellationToken, Task<T>> ask, CancellationToken cancellationToken) =>
        EventHubFailures.RunAsync(entity, () => ask(cancellationToken), cancellationToken);
}
