using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing;

/// <summary>
/// Reads an event hub together with the other processors of its consumer group. It writes every event to every sink, with the concurrency of
/// the strategy. No event is lost: a checkpoint never passes an event that a sink has not acknowledged. After a crash incomplete events are
/// delivered again (at least once), so sinks must be safe to repeat.
/// </summary>
/// <remarks>One run for each instance. Members may be called from any thread.</remarks>
public sealed class EventHubProcessing : IAsyncDisposable
{
    private const int MostSinks = 31;

    private readonly ProcessingOptions options;
    private readonly EventHubSource source;
    private readonly ILoggerFactory loggers;
    private readonly ILogger log;
    private readonly ProcessingFaults faults;
    private readonly ProcessingStop stop;
    private readonly BlockedEvents blocked;
    private readonly SessionFactory sessions;
    private readonly IEventHubProcessor processor;
    private readonly BuiltInClients? owned;
    private readonly Action<string>? notice;
    private readonly SingleRun run = new("One instance processes once. Create another one.");

    /// <summary>Creates a processing over the clients of all services. Nothing is connected yet.</summary>
    /// <param name="clients">
    /// The clients, disposed of by the caller. They should try writes once (<see cref="ClientOptions.Writes"/>), because the processing retries them.
    /// </param>
    /// <param name="settings">The addresses of the services: Event Hubs and storage. Service Bus only for sinks that need it.</param>
    /// <param name="options">The options.</param>
    /// <param name="sinks">The destinations of every event, 1 to 31 sinks.</param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    /// <exception cref="InvalidOperationException">A sink needs a service that the settings do not name.</exception>
    public EventHubProcessing(IMessagingClients clients, MessagingSettings settings, ProcessingOptions options, params IReadOnlyList<SinkDescriptor> sinks)
        : this(GetSource(clients, settings, options), SinkContext.From(clients, settings), options, sinks) { }

    /// <summary>Creates a processing over the clients of only the event hub. Nothing is connected yet.</summary>
    /// <param name="source">The event hub and its clients.</param>
    /// <param name="options">The options.</param>
    /// <param name="sinks">The destinations of every event, 1 to 31 sinks, which have separate clients.</param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    /// <exception cref="InvalidOperationException">A sink needs a service that this processing does not have.</exception>
    public EventHubProcessing(EventHubSource source, ProcessingOptions options, params IReadOnlyList<SinkDescriptor> sinks)
        : this(source, new SinkContext((source ?? throw new ArgumentNullException(nameof(source))).EventHubName), options, sinks) { }

    internal EventHubProcessing(EventHubSource source, SinkContext context, ProcessingOptions options, IReadOnlyList<SinkDescriptor> sinks)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(sinks);
        InvalidOptionsException.ThrowIfAny([.. options.Problems(), .. ProblemsOf(source, options)], nameof(options));
        ArgumentOutOfRangeException.ThrowIfZero(sinks.Count, nameof(sinks));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sinks.Count, MostSinks, nameof(sinks));
        this.options = options;
        this.source = source;
        loggers = LimitedLoggerFactory.Over(options.LoggerFactory, options.TimeProvider);
        log = loggers.CreateLogger(Log.Category);
        notice = GuardedCallback.Of(options.Notice, nameof(options.Notice), log);
        faults = new ProcessingFaults(log) { CountsBreaches = options.Strategy.IsUnsafe, Mask = SecretText.Mask };
        stop = new ProcessingStop(options.DrainLimit, options.TimeProvider);
        blocked = new BlockedEvents(line => Notice(SecretText.Mask(line)), options.TimeProvider);
        Sinks = [.. sinks.Select(sink => sink.CreateIn(context))];
        var seed = options.Seed ?? Random.Shared.Next();
        sessions = new SessionFactory
        {
            Strategy = options.Strategy,
            StrategyOptions = options.StrategyValues,
            MaxConcurrency = options.MaxConcurrencyInForce,
            GetSeed = partition => seed ^ PartitionKeyHash.Hash(partition),
            Sinks = [.. Sinks.Select(ReceivedEventSink.For)],
            Checkpoints = options.CheckpointsInForce,
            Gathering = options.Gathering,
            Limits = options.Limits,
            Retry = options.RetryRule,
            Poison = new PoisonRule
            {
                Policy = options.OnPoison,
                Blocked = blocked,
                Store = options.OnPoison == PoisonPolicy.DeadLetter ? new DeadLetterWriter(source.DeadLetters!, source.EventHubName).StoreAsync : null,
            },
            Observers = partition => [.. options.Observers(partition).Select(observer => new GuardedObserver(observer, log))],
            LastOfBacklog = options.LastOfBacklog,
            BeforeFirst = options.StartingPosition == StartingPosition.Earliest ? -1 : null,
            Faults = faults,
            Stop = stop,
            Log = log,
            TimeProvider = options.TimeProvider,
        };
        processor = source.Clients.CreateProcessor(ProcessorOptions(), sessions.OpenHandler);
    }

    private EventHubProcessing(BuiltInClients clients, MessagingSettings settings, ProcessingOptions options, IReadOnlyList<SinkDescriptor> sinks)
        : this((IMessagingClients)clients, settings, options, sinks) => owned = clients;

    /// <summary>The sinks, in their places.</summary>
    public IReadOnlyList<ISink<ReceivedEvent>> Sinks { get; }

    /// <summary>The partitions owned now.</summary>
    public IReadOnlyCollection<string> OwnedPartitions => processor.OwnedPartitions;

    /// <summary>Events that are held now because a write of them keeps failing.</summary>
    public int BlockedEvents => blocked.Count;

    /// <summary>Events that were held at some time.</summary>
    internal long EverBlockedEvents => blocked.Ever;

    /// <summary>Breaches of invariants that were only counted, because the strategy is unsafe.</summary>
    internal long CountedBreaches => faults.CountedBreaches;

    /// <summary>Creates a processing over the built-in clients, which it owns. Nothing is connected yet.</summary>
    /// <inheritdoc cref="EventHubProcessing(IMessagingClients, MessagingSettings, ProcessingOptions, IReadOnlyList{SinkDescriptor})"/>
    public static EventHubProcessing Connect(MessagingSettings settings, ProcessingOptions options, params IReadOnlyList<SinkDescriptor> sinks)
    {
        ArgumentNullException.ThrowIfNull(options);
        var clientOptions = new BuiltInClientOptions
        {
            Writes = options.ClientWrites,
            TimeProvider = options.TimeProvider,
            Notice = options.Notice,
            LoggerFactory = options.LoggerFactory,
        };
        return new EventHubProcessing(new BuiltInClients(settings, clientOptions), settings, options, sinks);
    }

    /// <summary>Creates a processing over the built-in clients for one handler.</summary>
    /// <param name="settings">The addresses of the services: Event Hubs and storage.</param>
    /// <param name="options">The options.</param>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    public static EventHubProcessing Connect(
        MessagingSettings settings,
        ProcessingOptions options,
        Func<ReceivedEvent, CancellationToken, ValueTask> handler
    ) => Connect(settings, options, SinkDescriptor.Of(handler));

    /// <summary>Processes until it is stopped or a fault occurs, then drains and gives the partitions up.</summary>
    /// <param name="stoppingToken">Stops it: what is in flight is finished within the drain limit.</param>
    /// <returns>How it ended. A fault is a result, not an exception.</returns>
    public Task<ProcessingResult> RunAsync(CancellationToken stoppingToken) =>
        RunAsync(token => Task.Delay(Timeout.InfiniteTimeSpan, options.TimeProvider, token), stoppingToken);

    /// <summary>Processes until there is nothing left to do, it is stopped, or a fault occurs.</summary>
    /// <param name="until">Completes when there is nothing left to do, immediately if there is nothing at all. Its token is cancelled at the end.</param>
    /// <param name="stoppingToken">Stops it: what is in flight is finished within the drain limit.</param>
    /// <returns>How it ended. A fault is a result, not an exception. An error of the strategy itself is thrown unchanged.</returns>
    public Task<ProcessingResult> RunAsync(Func<CancellationToken, Task> until, CancellationToken stoppingToken) =>
        SuspendedContext.Run(
            (Run: this, until, stoppingToken),
            static one => one.Run.run.RunAsync(token => one.Run.RunOnceAsync(one.until, token), one.stoppingToken)
        );

    private async Task<ProcessingResult> RunOnceAsync(Func<CancellationToken, Task> until, CancellationToken stoppingToken)
    {
        using var over = new CancellationTokenSource();
        var watching = Task.WhenAll(
            new LivenessWatch(sessions.ReadProgress, blocked, faults, options.StandstillLimit, options.TimeProvider).RunAsync(over.Token),
            new DeliveryWatch(sessions.ReadDeliveries, LastOfAsync, faults, options.DeliveryLimitInForce, options.TimeProvider).RunAsync(over.Token)
        );
        try
        {
            var sinks = string.Join(", ", Sinks.Select(static sink => sink.Name));
            Log.Started(log, source.EventHubName, source.ConsumerGroup, options.Identifier, options.Strategy.Name, sinks);
            var end = await new ProcessorRun(processor.RunAsync, stop, faults).RunAsync(until, stoppingToken);
            if (end != ProcessingEnd.Faulted)
            {
                Log.Ended(log, source.EventHubName, end);
            }

            return new ProcessingResult(end, faults.All);
        }
        finally
        {
            await over.CancelAsync();
            await watching;
        }
    }

    /// <summary>Ends the processing because a service is unavailable: writes in flight are cancelled, and their events are delivered again later.</summary>
    /// <param name="message">One line that names the service. The fault of the result.</param>
    internal Task FailAsync(string message)
    {
        faults.Report(ProcessingFaultKind.Dependency, message);
        return stop.CutAsync();
    }

    /// <summary>The events that would be delivered again if the process ended now.</summary>
    internal string DescribeReplay() => sessions.DescribeReplay();

    /// <summary>
    /// Stops a run and waits for its end. Then it disposes of the sinks, and of the clients if it owns them: all of them, even if one throws. May be called
    /// again.
    /// </summary>
    public ValueTask DisposeAsync() =>
        SuspendedContext.Run(
            this,
            static one => one.run.DisposeAsync([.. one.Sinks, one.owned, one.stop, one.loggers == one.options.LoggerFactory ? null : one.loggers])
        );

    private void Notice(string line)
    {
        Log.Noticed(log, line);
        notice?.Invoke(line);
    }

    /// <summary>The last event of a partition in the hub. -1 for none.</summary>
    internal static long GetLast(PartitionProperties hub) => hub.IsEmpty ? -1 : hub.LastSequenceNumber;

    private async Task<long> LastOfAsync(string partition, CancellationToken cancellationToken) =>
        GetLast(await source.Clients.GetPartitionPropertiesAsync(partition, cancellationToken));

    internal static EventHubSource GetSource(IMessagingClients clients, MessagingSettings settings, ProcessingOptions options)
    {
        ArgumentNullException.ThrowIfNull(clients);
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(options);
        return new EventHubSource
        {
            Clients = clients,
            EventHubName = settings.EventHubName,
            ConsumerGroup = settings.ConsumerGroup,
            DeadLetters = options.OnPoison == PoisonPolicy.DeadLetter ? clients.GetBlobContainer(settings.DeadLetterContainer) : null,
        };
    }

    private static IEnumerable<string> ProblemsOf(EventHubSource source, ProcessingOptions options) =>
        options.OnPoison == PoisonPolicy.DeadLetter && source.DeadLetters is null
            ? [$"{nameof(options.OnPoison)} {options.OnPoison}: needs {nameof(source.DeadLetters)}, the container of the dead letters"]
            : [];

    private EventHubProcessorOptions ProcessorOptions() =>
        new()
        {
            Identifier = options.Identifier,
            BatchSize = options.BatchSize,
            Prefetch = options.Prefetch,
            BalancingInterval = options.BalancingInterval,
            OwnershipExpiry = options.OwnershipExpiry,
            Balancing = options.Balancing,
            StartingPosition = options.StartingPosition,
            Fencing = options.Fencing,
            AcceptGaps = options.AcceptGaps,

            // Reported immediately: it starts the drain limit, without which closing partitions might wait for ever.
            Failing = failure =>
            {
                if (failure is MessagingException known)
                {
                    faults.Report(ProcessingFaultKind.Dependency, known.Message, known);
                }
            },
            TimeProvider = options.TimeProvider,
        };
}
