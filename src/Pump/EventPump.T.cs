using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Accepting;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Pump;

/// <summary>
/// Takes the events of a client, partition by partition, and handles them concurrently. The client still reads, owns partitions, and decides where
/// checkpoints are stored.
/// </summary>
/// <remarks>
/// A partition begins with its first event and ends with <see cref="CloseAsync"/>. Then it may begin again. Members may be called from any thread, also for
/// one partition. Events of one partition are accepted in the order of the calls.
/// </remarks>
/// <typeparam name="T">The type of the events.</typeparam>
public sealed class EventPump<T> : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, PartitionLane<T>> partitions = new(StringComparer.Ordinal);
    private readonly Func<T, string?> key;
    private readonly EventPumpOptions options;
    private readonly ILogger log;
    private readonly SessionFactory sessions;
    private volatile ProcessingFault? ended;
    private volatile bool isDisposed;

    internal EventPump(
        StrategyDescriptor strategy,
        Func<T, string?> key,
        int maxConcurrency,
        Func<T, CancellationToken, ValueTask> handler,
        EventPumpOptions options
    )
    {
        this.key = key;
        this.options = options;
        log = options.LoggerFactory?.CreateLogger("EventHubThroughput.Pump") ?? NullLogger.Instance;
        var checkpoints = options.Checkpoints;
        sessions = new SessionFactory
        {
            Strategy = strategy,
            MaxConcurrency = maxConcurrency,
            Sinks = [new HandlerSink<T>(handler)],
            Checkpoints = checkpoints,
            Limits = DispatchLimits.For(strategy.IsBarrier, batch: 1, maxConcurrency, checkpoints, options.Window, options.ReplayLimit),
            Retry = new RetryRule { Limit = options.Retries, OperationLimit = options.OperationLimit },
            Poison = new PoisonRule
            {
                Policy = options.OnPoison,
                Blocked = new BlockedEvents(line => Logs.Log.Noticed(log, line), options.TimeProvider),
                Store = options.DeadLetter is { } store ? (slot, _, reason, attempts, token) => StoreAsync(store, slot, reason, attempts, token) : null,
            },
            CheckpointFailed = (partition, failure) =>
                Report(new EventPumpFault(partition, null, $"checkpoint: {failure.Message}", failure.Thrown, EndsPump: false)),
            CutsLostPartitions = false,
            Faults = new ProcessingFaults(log) { Reported = Report },
            Stop = new ProcessingStop(options.DrainLimit, options.TimeProvider),
            Log = log,
            TimeProvider = options.TimeProvider,
        };
    }

    /// <summary>The failure that ended the pump. Null while it accepts events.</summary>
    public ProcessingFault? Fault => ended;

    /// <summary>Accepts an event of a partition. Returns when the caller may pass the next one: immediately, or when the window has room.</summary>
    /// <param name="partitionId">The partition that the event was read from.</param>
    /// <param name="item">The event. Null is ignored, because clients pass null when no event has arrived for some time.</param>
    /// <param name="checkpoint">
    /// Stores a checkpoint at this event. Called for few events, one call at a time for a partition, and again after a failure.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the wait for the window. The event is then not accepted, and the partition accepts no other event before it is closed.
    /// </param>
    /// <exception cref="ObjectDisposedException">The pump is disposed.</exception>
    /// <exception cref="ProcessingFaultException">The pump has failed. The inner exception is that of the handler.</exception>
    /// <exception cref="OperationCanceledException">The event is not accepted.</exception>
    /// <exception cref="InvalidOperationException">An earlier event of the partition was not accepted.</exception>
    public Task AcceptAsync(string partitionId, T? item, Func<CancellationToken, Task> checkpoint, CancellationToken cancellationToken) =>
        SuspendedContext.Run(
            (Pump: this, partitionId, item, checkpoint, cancellationToken),
            static call => call.Pump.AcceptOutsideAsync(call.partitionId, call.item, call.checkpoint, call.cancellationToken)
        );

    /// <summary>
    /// Ends a partition: no further event begins, and handlers in flight finish within the drain limit. Events that did not begin are delivered again.
    /// Completes when all of that is done. For a partition that has not begun it does nothing.
    /// </summary>
    /// <param name="partitionId">The partition.</param>
    /// <param name="isOwned">Whether the partition still belongs to this client, so that a last checkpoint is stored.</param>
    public Task CloseAsync(string partitionId, bool isOwned = true)
    {
        ArgumentException.ThrowIfNullOrEmpty(partitionId);
        return partitions.TryGetValue(partitionId, out var lane)
            ? SuspendedContext.Run(
                (lane, isOwned),
                static close => close.lane.CloseAsync(close.isOwned ? PartitionStopReason.Shutdown : PartitionStopReason.OwnershipLost)
            )
            : Task.CompletedTask;
    }

    /// <summary>Ends all partitions, each as <see cref="CloseAsync"/> does, and accepts no more events.</summary>
    public ValueTask DisposeAsync()
    {
        isDisposed = true;
        return SuspendedContext.Run(partitions.Values, static lanes => new ValueTask(Task.WhenAll(lanes.Select(static lane => lane.DisposeAsync().AsTask()))));
    }

    private async Task AcceptOutsideAsync(string partitionId, T? item, Func<CancellationToken, Task> checkpoint, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(partitionId);
        ArgumentNullException.ThrowIfNull(checkpoint);
        ObjectDisposedException.ThrowIf(isDisposed, this);
        ThrowIfFaulted();
        if (item is null)
        {
            return;
        }

        try
        {
            await GetLane(partitionId).AcceptAsync(item, checkpoint, cancellationToken);
        }
        catch (Exception failure) when (ended is not null && failure is OperationCanceledException or InvalidOperationException)
        {
            // It waited when the pump failed.
            ThrowIfFaulted();
            throw;
        }
    }

    private PartitionLane<T> GetLane(string partitionId) =>
        partitions.GetOrAdd(
            partitionId,
            static (id, pump) =>
                new PartitionLane<T>(id, pump.key, pump.sessions.Open, () => new ProcessingStop(pump.options.DrainLimit, pump.options.TimeProvider)),
            this
        );

    private void ThrowIfFaulted()
    {
        if (ended is { } fault)
        {
            throw new ProcessingFaultException(fault, fault.Exception);
        }
    }

    // A partition that closes may fail to store its last position, or to drain in time. The others continue.
    private void Report(ProcessingFault fault)
    {
        var closing = fault.PartitionId is { } partition && partitions.TryGetValue(partition, out var lane) && lane.IsEnding;
        var ends = !closing || fault.Kind is ProcessingFaultKind.Poison or ProcessingFaultKind.InvariantBreached;
        if (ends && Interlocked.CompareExchange(ref ended, fault, null) is null)
        {
            // An event that waits for the window would wait for the one that failed.
            _ = Task.WhenAll(partitions.Values.Select(static one => one.StopAsync()));
        }

        Report(new EventPumpFault(fault.PartitionId, fault.SequenceNumber, fault.Message, fault.Exception, ends));
    }

    private static async Task StoreAsync(
        Func<DeadLetteredEvent, CancellationToken, ValueTask> store,
        EventSlot slot,
        string reason,
        int attempts,
        CancellationToken cancellationToken
    )
    {
        var poisoned = (EventSlot<T>)slot;
        try
        {
            await store(new DeadLetteredEvent(poisoned.PartitionId, poisoned.Event!, reason, attempts), cancellationToken);
        }
        catch (Exception thrown) when (!(thrown is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            throw MessagingException.Around(thrown);
        }
    }

    private void Report(EventPumpFault fault)
    {
        try
        {
            options.OnFault?.Invoke(fault);
        }
        catch (Exception thrown)
        {
            Logs.Log.Noticed(log, $"{nameof(EventPumpOptions.OnFault)} threw {thrown.GetType().Name}: {thrown.Message}");
        }
    }
}
