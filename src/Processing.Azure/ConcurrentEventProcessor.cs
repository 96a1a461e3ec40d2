using Azure.Core;
using Azure.Messaging.EventHubs;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Azure.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using ClientOptions = EventHubThroughput.Clients.ClientOptions;

namespace EventHubThroughput.Processing.Azure;

/// <summary>
/// Reads an event hub with the official Azure clients and handles several events concurrently. It is created like an <c>EventProcessorClient</c> and shares
/// the event hub with the other processors of its consumer group. It stores ownerships and checkpoints in the same layout, so that each can take over from
/// the other. A checkpoint never passes an event that is not complete. Events are delivered at least once, and handlers must be safe to repeat.
/// </summary>
/// <remarks>One run for each instance. Members may be called from any thread. The caller keeps the given clients and credentials.</remarks>
public sealed class ConcurrentEventProcessor : IAsyncDisposable
{
    private readonly OfficialEventHub hub;
    private readonly EventHubProcessing processing;
    private readonly ILoggerFactory? given;
    private readonly ILoggerFactory loggers;

    /// <summary>Creates a processor that passes every event to a handler, in a namespace with Entra ID. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="fullyQualifiedNamespace">The namespace's host, such as <c>orders.servicebus.windows.net</c>.</param>
    /// <param name="eventHubName">The event hub.</param>
    /// <param name="credential">The credential for reading the event hub.</param>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string fullyQualifiedNamespace,
        string eventHubName,
        TokenCredential credential,
        Func<ReceivedEvent, CancellationToken, ValueTask> handler,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(checkpointStore, consumerGroup, fullyQualifiedNamespace, eventHubName, credential, GetSinks(handler), options) { }

    /// <summary>Creates a processor that writes every event to every sink, in a namespace with Entra ID. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="fullyQualifiedNamespace">The namespace's host, such as <c>orders.servicebus.windows.net</c>.</param>
    /// <param name="eventHubName">The event hub.</param>
    /// <param name="credential">The credential for reading the event hub.</param>
    /// <param name="sinks">The destinations of every event, 1 to 31 sinks, which have separate clients.</param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string fullyQualifiedNamespace,
        string eventHubName,
        TokenCredential credential,
        IReadOnlyList<SinkDescriptor> sinks,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(
            checkpointStore,
            connection => HubAddress.Of(consumerGroup, fullyQualifiedNamespace, eventHubName, credential, connection),
            sinks,
            options ?? new ConcurrentEventProcessorOptions()
        ) { }

    /// <summary>Creates a processor that passes every event to a handler, by the connection string of a namespace. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="connectionString">The connection string, with a key or a shared access signature.</param>
    /// <param name="eventHubName">The event hub. An <c>EntityPath</c> of the connection string must be the same.</param>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string connectionString,
        string eventHubName,
        Func<ReceivedEvent, CancellationToken, ValueTask> handler,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(checkpointStore, consumerGroup, connectionString, eventHubName, GetSinks(handler), options) { }

    /// <summary>Creates a processor that writes every event to every sink, by the connection string of a namespace. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="connectionString">The connection string, with a key or a shared access signature.</param>
    /// <param name="eventHubName">The event hub. An <c>EntityPath</c> of the connection string must be the same.</param>
    /// <param name="sinks">The destinations of every event, 1 to 31 sinks, which have separate clients.</param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string connectionString,
        string eventHubName,
        IReadOnlyList<SinkDescriptor> sinks,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(
            checkpointStore,
            connection => HubAddress.Of(consumerGroup, connectionString, eventHubName ?? throw new ArgumentNullException(nameof(eventHubName)), connection),
            sinks,
            options ?? new ConcurrentEventProcessorOptions()
        ) { }

    /// <summary>Creates a processor that passes every event to a handler, by the connection string of an event hub. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="connectionString">The connection string, with the event hub as its <c>EntityPath</c>.</param>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string connectionString,
        Func<ReceivedEvent, CancellationToken, ValueTask> handler,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(checkpointStore, consumerGroup, connectionString, GetSinks(handler), options) { }

    /// <summary>Creates a processor that writes every event to every sink, by the connection string of an event hub. Nothing is connected yet.</summary>
    /// <param name="checkpointStore">The container of ownerships and checkpoints, which must exist.</param>
    /// <param name="consumerGroup">The consumer group, such as <c>$Default</c>.</param>
    /// <param name="connectionString">The connection string, with the event hub as its <c>EntityPath</c>.</param>
    /// <param name="sinks">The destinations of every event, 1 to 31 sinks, which have separate clients.</param>
    /// <param name="options">The processing options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        string consumerGroup,
        string connectionString,
        IReadOnlyList<SinkDescriptor> sinks,
        ConcurrentEventProcessorOptions? options = null
    )
        : this(
            checkpointStore,
            connection => HubAddress.Of(consumerGroup, connectionString, eventHubName: null, connection),
            sinks,
            options ?? new ConcurrentEventProcessorOptions()
        ) { }

    private ConcurrentEventProcessor(
        BlobContainerClient checkpointStore,
        Func<EventHubConnectionOptions, HubAddress> locate,
        IReadOnlyList<SinkDescriptor> sinks,
        ConcurrentEventProcessorOptions options
    )
    {
        ArgumentNullException.ThrowIfNull(checkpointStore);
        ArgumentNullException.ThrowIfNull(sinks);
        InvalidOptionsException.ThrowIfAny([.. options.Problems(), .. options.ProblemsBeside(checkpointStore)], nameof(options));
        var address = locate(options.ConnectionOptions);
        given = options.LoggerFactory;
        loggers = LimitedLoggerFactory.Over(given, options.TimeProvider);
        var clients = new ClientOptions
        {
            LoggerFactory = loggers,
            TimeProvider = options.TimeProvider,
            Notice = options.Notice,
        };
        hub = OfficialEventHub.Over(address, checkpointStore, clients);
        processing = new EventHubProcessing(
            new EventHubSource
            {
                Clients = hub,
                EventHubName = address.EventHubName,
                ConsumerGroup = address.ConsumerGroup,
                DeadLetters = options.DeadLetters is { } deadLetters ? OfficialBlobContainer.Over(deadLetters, clients) : null,
            },
            options with
            {
                LoggerFactory = loggers,
            },
            sinks
        );
    }

    /// <summary>Creates a redrive, which passes the dead letters of an event hub to a handler again. Nothing is connected yet.</summary>
    /// <param name="deadLetters">The container of the dead letters.</param>
    /// <param name="eventHubName">The event hub that they came from.</param>
    /// <param name="handler">Handles an event: completes when that is done, throws when it is not. Called again after a failure or a crash.</param>
    /// <param name="options">The write options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public static DeadLetterRedrive CreateRedrive(
        BlobContainerClient deadLetters,
        string eventHubName,
        Func<ReceivedEvent, CancellationToken, ValueTask> handler,
        RedriveOptions? options = null
    ) => CreateRedrive(deadLetters, eventHubName, GetSinks(handler), options);

    /// <summary>Creates a redrive, which writes the dead letters of an event hub to the sinks that refused them. Nothing is connected yet.</summary>
    /// <param name="deadLetters">The container of the dead letters.</param>
    /// <param name="eventHubName">The event hub that they came from.</param>
    /// <param name="sinks">The sinks of the processor that stored the dead letters, with the same names.</param>
    /// <param name="options">The write options. The defaults when null.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    /// <exception cref="InvalidOptionsException">Options are invalid. The message has a line for each problem.</exception>
    public static DeadLetterRedrive CreateRedrive(
        BlobContainerClient deadLetters,
        string eventHubName,
        IReadOnlyList<SinkDescriptor> sinks,
        RedriveOptions? options = null
    )
    {
        ArgumentNullException.ThrowIfNull(deadLetters);
        ArgumentException.ThrowIfNullOrWhiteSpace(eventHubName);
        options ??= new RedriveOptions();
        var container = OfficialBlobContainer.Over(deadLetters, new ClientOptions { TimeProvider = options.TimeProvider });
        return new DeadLetterRedrive(container, new SinkContext(eventHubName), options, sinks);
    }

    /// <summary>The partitions owned now.</summary>
    public IReadOnlyCollection<string> OwnedPartitions => processing.OwnedPartitions;

    /// <summary>Events that are held now because their handler keeps failing (<see cref="PoisonPolicy.Block"/>).</summary>
    public int BlockedEvents => processing.BlockedEvents;

    /// <summary>Processes until it is stopped or a fault occurs, then drains and gives the partitions up.</summary>
    /// <param name="stoppingToken">Stops it: handlers in flight finish within <see cref="ProcessingOptions.DrainLimit"/>.</param>
    /// <returns>How it ended. A fault is a result, not an exception.</returns>
    public Task<ProcessingResult> RunAsync(CancellationToken stoppingToken) => processing.RunAsync(stoppingToken);

    /// <summary>Stops a run and waits for its end, then closes the connections. May be called again.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await processing.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            await hub.DisposeAsync().ConfigureAwait(false);
            if (loggers != given)
            {
                // Writes suppressed lines. The caller's factory stays open.
                loggers.Dispose();
            }
        }
    }

    private static IReadOnlyList<SinkDescriptor> GetSinks(Func<ReceivedEvent, CancellationToken, ValueTask> handler) =>
        [SinkDescriptor.Of(handler ?? throw new ArgumentNullException(nameof(handler)))];
}
