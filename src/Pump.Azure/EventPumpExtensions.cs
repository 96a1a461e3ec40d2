using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Processor;

namespace EventHubThroughput.Pump.Azure;

/// <summary>
/// Connects a pump to the events of an <c>EventProcessorClient</c> (package Azure.Messaging.EventHubs.Processor). Each method is a handler of the event of
/// that name.
/// </summary>
/// <remarks>
/// The processor keeps reading, balancing and storing checkpoints. It calls <c>ProcessEventAsync</c> for one event of a partition at a time and waits for it,
/// so a full window makes it stop reading ahead.
/// </remarks>
public static class EventPumpExtensions
{
    /// <summary>For <c>ProcessEventAsync</c>: accepts the event. A call without an event, after <c>MaximumWaitTime</c>, does nothing.</summary>
    /// <param name="pump">The pump.</param>
    /// <param name="args">The processor's arguments. An event is not accepted when its token is cancelled: the partition closes next.</param>
    /// <exception cref="ObjectDisposedException">The pump is disposed.</exception>
    /// <exception cref="Processing.ProcessingFaultException">The pump has failed. The inner exception is that of the handler.</exception>
    public static Task AcceptAsync(this EventPump<EventData> pump, ProcessEventArgs args)
    {
        ArgumentNullException.ThrowIfNull(pump);
        return args.HasEvent ? AcceptAsync(pump, args.Data, args) : Task.CompletedTask;
    }

    /// <summary>The same for a handler that takes the processor's arguments, which name the partition of the event.</summary>
    /// <remarks>The handler must not call <c>UpdateCheckpointAsync</c> of the arguments: the pump does.</remarks>
    /// <inheritdoc cref="AcceptAsync(EventPump{EventData}, ProcessEventArgs)"/>
    public static Task AcceptAsync(this EventPump<ProcessEventArgs> pump, ProcessEventArgs args)
    {
        ArgumentNullException.ThrowIfNull(pump);
        return args.HasEvent ? AcceptAsync(pump, args, args) : Task.CompletedTask;
    }

    /// <summary>
    /// For <c>PartitionClosingAsync</c>: drains the partition. Stores a last checkpoint if the processor gives the partition up itself, but not if another
    /// processor has taken it.
    /// </summary>
    /// <typeparam name="T">The type of the pump's events.</typeparam>
    /// <param name="pump">The pump.</param>
    /// <param name="args">The processor's arguments.</param>
    public static Task CloseAsync<T>(this EventPump<T> pump, PartitionClosingEventArgs args)
    {
        ArgumentNullException.ThrowIfNull(pump);
        ArgumentNullException.ThrowIfNull(args);
        return pump.CloseAsync(args.PartitionId, isOwned: args.Reason == ProcessingStoppedReason.Shutdown);
    }

    /// <summary>
    /// For <c>PartitionInitializingAsync</c>: waits until the partition's last incarnation has drained. Needed only if the processor restarts a partition
    /// without closing it, as after an exception of a handler.
    /// </summary>
    /// <typeparam name="T">The type of the pump's events.</typeparam>
    /// <param name="pump">The pump.</param>
    /// <param name="args">The processor's arguments.</param>
    public static Task OpenAsync<T>(this EventPump<T> pump, PartitionInitializingEventArgs args)
    {
        ArgumentNullException.ThrowIfNull(pump);
        ArgumentNullException.ThrowIfNull(args);
        return pump.CloseAsync(args.PartitionId, isOwned: false);
    }

    private static async Task AcceptAsync<T>(EventPump<T> pump, T item, ProcessEventArgs args)
    {
        try
        {
            await pump.AcceptAsync(args.Partition.PartitionId, item, args.UpdateCheckpointAsync, args.CancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (args.CancellationToken.IsCancellationRequested)
        {
            // The processor stops reading the partition, and would report an exception. The event is delivered again.
        }
    }
}
