using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients;

/// <summary>Options that only the built-in clients have.</summary>
public sealed record BuiltInClientOptions : ClientOptions
{
    /// <summary>The shortest <see cref="TokenLifetime"/>: 1 s, since tokens state whole seconds.</summary>
    public static readonly TimeSpan ShortestTokenLifetime = TimeSpan.FromSeconds(1);

    /// <summary>The longest <see cref="TokenLifetime"/>: 1 day.</summary>
    public static readonly TimeSpan LongestTokenLifetime = TimeSpan.FromDays(1);

    private const long LeastLargestMessage = 1024;
    private const long MostLargestMessage = 1024L * 1024 * 1024;

    /// <summary>Every default.</summary>
    public BuiltInClientOptions() { }

    /// <summary>The options of every family, and the defaults of the rest.</summary>
    public BuiltInClientOptions(ClientOptions options)
        : base(options) { }

    /// <summary>How long a token lives, 1 s to 1 day. Renewed at three quarters. Default 30 min.</summary>
    public TimeSpan TokenLifetime { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>
    /// The largest event or message that is received, in bytes with all its properties, 1 KiB to 1 GiB. A larger one ends its link, and reading fails with
    /// the limit in its message. Default 100 MiB, as large as any tier of Event Hubs (20 MB) and Service Bus (100 MB) accepts.
    /// </summary>
    public long LargestMessage { get; init; } = 100L * 1024 * 1024;

    /// <summary>Seed of the random waits and of the choice among partitions. Null for another one in each run.</summary>
    public int? Seed { get; init; }

    /// <summary>How buffered writers collect their batches.</summary>
    public BufferedEventWriterOptions Buffered { get; init; } = new();

    /// <inheritdoc/>
    internal override IEnumerable<string> Problems() =>
        [
            .. base.Problems(),
            .. OptionLimits.Check(nameof(TokenLifetime), TokenLifetime, ShortestTokenLifetime, LongestTokenLifetime),
            .. OptionLimits.Check(nameof(LargestMessage), LargestMessage, LeastLargestMessage, MostLargestMessage),
            .. Buffered.Problems().Select(static problem => $"{nameof(Buffered)}.{problem}"),
        ];
}

/// <summary>The clients that implement the services' protocols themselves, for Azure and for the emulator.</summary>
public sealed class BuiltInClients : IMessagingClients, IAccessProbe
{
    /// <summary>Concurrent connections to storage, which all containers share.</summary>
    public const int MostBlobConnections = BlobLimits.MostConnections;

    private readonly MessagingSettings settings;
    private readonly BuiltInClientOptions options;
    private readonly ILoggerFactory loggers;
    private readonly ServiceConnection eventHubs;
    private readonly ServiceConnection? serviceBus;
    private readonly BlobAccount? blobs;
    private readonly EventHubManagement management;
    private readonly ICheckpointStore? checkpointStore;

    /// <summary>Creates the clients. Nothing is connected yet.</summary>
    /// <param name="settings">The addresses of the services. Service Bus and storage may be missing if they are not used.</param>
    /// <param name="options">Retries, tokens and the clock.</param>
    /// <exception cref="MessagingException">The emulator's flag, which turns TLS off, is set for another machine, or a service has no key.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An option is beyond its limits.</exception>
    public BuiltInClients(MessagingSettings settings, BuiltInClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(options);
        OptionLimits.Require(options.Problems(), nameof(options));
        if (ClientFamily.BuiltIn.ProblemsOf(settings).FirstOrDefault() is { } problem)
        {
            throw new MessagingException(FailureKind.Permanent, problem);
        }

        this.settings = settings;
        loggers = LimitedLoggerFactory.Over(options.LoggerFactory, options.TimeProvider);
        options = (BuiltInClientOptions)options.Guarded(loggers.CreateLogger(Log.Connections));
        this.options = options;
        var frames = LoggedFrames.To(loggers.CreateLogger(Log.Frames));
        eventHubs = new ServiceConnection(
            "event hubs",
            settings.EventHub,
            settings.Transport,
            options.TokenLifetime,
            options.LargestMessage,
            GetRetrier(settings.EventHub, options.Retry),
            frames,
            options.Notice
        );
        serviceBus = settings.ServiceBus is { } connectionString
            ? new ServiceConnection(
                "service bus",
                connectionString,
                settings.Transport,
                options.TokenLifetime,
                options.LargestMessage,
                GetRetrier(connectionString, options.Writes ?? options.Retry),
                frames,
                options.Notice
            )
            : null;
        management = new EventHubManagement(eventHubs, settings.EventHubName);
        if (settings.Storage is { } storage)
        {
            blobs = new BlobAccount(
                storage,
                new BlobAccountOptions
                {
                    Retry = options.Retry,
                    TimeProvider = options.TimeProvider,
                    Observer = options.Observer,
                    ClockRead = options.StorageClockRead,
                    Notice = options.Notice,
                    Log = loggers.CreateLogger(Log.Blobs),
                }
            );
            checkpointStore = new BlobCheckpointStore(
                blobs.GetContainer(settings.CheckpointContainer),
                blobs.GetContainer(settings.CheckpointContainer, options.Writes),
                settings.EventHubNamespace,
                settings.EventHubName,
                settings.ConsumerGroup,
                options.TimeProvider,
                options.Notice,
                loggers.CreateLogger(Log.EventHubs)
            );
        }
    }

    /// <inheritdoc/>
    public ICheckpointStore CheckpointStore => checkpointStore ?? throw NotConfigured("storage");

    /// <inheritdoc/>
    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => management.GetHubAsync(cancellationToken);

    /// <inheritdoc/>
    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) =>
        management.GetPartitionAsync(partitionId, cancellationToken);

    /// <inheritdoc/>
    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) =>
        PartitionReading.ReadAsync(
            eventHubs,
            GetReaderOptions(partitionId, PartitionReading.Prefetch, afterSequenceNumber),
            loggers.CreateLogger(Log.EventHubs),
            throughSequenceNumber,
            cancellationToken
        );

    /// <inheritdoc/>
    public IEventHubWriter CreateEventHubWriter() => new BuiltInEventHubWriter(eventHubs, settings.EventHubName);

    /// <inheritdoc/>
    public IBufferedEventWriter CreateBufferedEventWriter() =>
        new BuiltInBufferedEventWriter(
            new BuiltInEventHubWriter(eventHubs, settings.EventHubName),
            management.GetHubAsync,
            options.Buffered,
            options.TimeProvider,
            loggers.CreateLogger(Log.EventHubs)
        );

    /// <inheritdoc/>
    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
        CreateProcessor(options, open, CheckpointStore);

    /// <inheritdoc/>
    public IMessageSender CreateMessageSender(string entity) => new BuiltInMessageSender(ServiceBus, entity, options.Observer);

    /// <inheritdoc/>
    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) =>
        new BuiltInMessageReceiver(ServiceBus, entity, options, loggers.CreateLogger(Log.ServiceBus));

    /// <inheritdoc/>
    public IBlobContainer GetBlobContainer(string name) => blobs?.GetContainer(name, options.Writes) ?? throw NotConfigured("storage");

    /// <inheritdoc/>
    public async Task OpenPartitionAsync(string partitionId, CancellationToken cancellationToken)
    {
        var receiver = new PartitionReceiver(eventHubs, GetReaderOptions(partitionId, prefetch: 0), loggers.CreateLogger(Log.EventHubs));
        await using (receiver.ConfigureAwait(false))
        {
            await receiver.AttachAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task<long> OpenSenderAsync(string entity, CancellationToken cancellationToken)
    {
        var sender = new BuiltInMessageSender(ServiceBus, entity, observer: null);
        await using (sender.ConfigureAwait(false))
        {
            return await sender.GetBatchLimitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>This family has keys only, so no token is requested.</summary>
    public Task<DateTimeOffset?> RequestTokenAsync(ProbedService service, CancellationToken cancellationToken) => Task.FromResult<DateTimeOffset?>(null);

    /// <summary>Closes the connections. Clients that were created here must not be used afterwards.</summary>
    public async ValueTask DisposeAsync()
    {
        await management.DisposeAsync().ConfigureAwait(false);
        await eventHubs.DisposeAsync().ConfigureAwait(false);
        if (serviceBus is not null)
        {
            await serviceBus.DisposeAsync().ConfigureAwait(false);
        }

        blobs?.Dispose();
        if (loggers != options.LoggerFactory)
        {
            // Writes suppressed lines. The caller keeps its logger factory.
            loggers.Dispose();
        }
    }

    internal BuiltInEventHubProcessor CreateProcessor(EventHubProcessorOptions processor, Func<IOwnedPartition, IPartitionHandler> open, ICheckpointStore store)
    {
        OptionLimits.Require(processor.Problems(), nameof(processor));
        processor = processor with { Failing = GuardedCallback.Of(processor.Failing, nameof(processor.Failing), loggers.CreateLogger(Log.EventHubs)) };
        var context = new PartitionRunContext(
            store,
            processor,
            open,
            (partition, checkpoint, token) => OpenReceiverAsync(processor, partition, checkpoint, token),
            new DuplicateIdentifierDetector(processor.Identifier, options.Notice),
            loggers.CreateLogger(Log.EventHubs)
        );
        var seed = options.Seed ?? Random.Shared.Next();
        return new BuiltInEventHubProcessor(
            context,
            async token => (await management.GetHubAsync(token).ConfigureAwait(false)).PartitionIds,
            new Random(processor.Identifier.Aggregate(seed, static (mixed, letter) => unchecked((mixed * 31) + letter)))
        );
    }

    // Without an owner level: it reads concurrently with the owner of the partition.
    private PartitionReceiverOptions GetReaderOptions(string partitionId, int prefetch, long after = -1) =>
        new()
        {
            Hub = settings.EventHubName,
            ConsumerGroup = settings.ConsumerGroup,
            PartitionId = partitionId,
            Identifier = string.Create(CultureInfo.InvariantCulture, $"R{partitionId}-{Guid.NewGuid():N}"),
            Start = after < 0 ? FilterExpression.Earliest : FilterExpression.AfterSequenceNumber(after),
            Place = after < 0 ? ReadPosition.OfOptions(StartingPosition.Earliest) : ReadPosition.OfEvent(after),
            BatchSize = PartitionReading.Prefetch,
            Prefetch = prefetch,
            BuildInterval = TimeSpan.Zero,
            UnreachableLimit = options.Retry.UnreachableLimit,
        };

    private ServiceConnection ServiceBus => serviceBus ?? throw NotConfigured("service bus");

    private Retrier GetRetrier(MessagingConnectionString service, RetryOptions retry) =>
        new(
            string.Create(CultureInfo.InvariantCulture, $"{service.Host}:{settings.Transport.GetPort(service)}"),
            retry,
            options.TimeProvider,
            options.Seed,
            loggers.CreateLogger(Log.Connections)
        );

    private static InvalidOperationException NotConfigured(string what) => new($"The settings name no {what}.");

    private async Task<PartitionReceiver> OpenReceiverAsync(
        EventHubProcessorOptions processor,
        string partitionId,
        Checkpoint? checkpoint,
        CancellationToken cancellationToken
    )
    {
        var start = checkpoint is not null
            ? FilterExpression.After(checkpoint.Position)
            : await StartOfAsync(processor.StartingPosition, partitionId, cancellationToken).ConfigureAwait(false);
        return new PartitionReceiver(
            eventHubs,
            new PartitionReceiverOptions
            {
                Hub = settings.EventHubName,
                ConsumerGroup = settings.ConsumerGroup,
                PartitionId = partitionId,
                Identifier = string.Create(CultureInfo.InvariantCulture, $"P{partitionId}-{processor.Identifier}"),
                Start = start,
                Place = checkpoint is null
                    ? ReadPosition.OfOptions(processor.StartingPosition)
                    : ReadPosition.Of(checkpoint, settings.CheckpointContainer, byOffset: !StoredOffset.IsNone(checkpoint.Position.Offset)),
                Epoch = 0,
                BatchSize = processor.BatchSize,
                Prefetch = processor.Prefetch,
                BuildInterval = processor.BuildInterval,
                UnreachableLimit = processor.UnreachableLimit,
            },
            loggers.CreateLogger(Log.EventHubs)
        );
    }

    // "Latest" becomes a number immediately: a link that is lost before its first event must not skip later events.
    private async Task<string> StartOfAsync(StartingPosition start, string partitionId, CancellationToken cancellationToken)
    {
        if (start != StartingPosition.Latest)
        {
            return FilterExpression.Of(start);
        }

        var now = await management.GetPartitionAsync(partitionId, cancellationToken).ConfigureAwait(false);
        return FilterExpression.AfterSequenceNumber(now.LastSequenceNumber);
    }
}
