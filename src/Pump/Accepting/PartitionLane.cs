using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Accepting;

/// <summary>
/// A partition through all its incarnations. Each begins with the first event after a close and has its own session. Events and closes are processed one at a
/// time, so the next incarnation begins after the last one has drained.
/// </summary>
/// <typeparam name="T">The type of the events.</typeparam>
/// <param name="partitionId">The partition.</param>
/// <param name="key">Gets the key of an event.</param>
/// <param name="open">Opens a session.</param>
/// <param name="createStop">Creates the stop of an incarnation.</param>
internal sealed class PartitionLane<T>(
    string partitionId,
    Func<T, string?> key,
    Func<AcceptedPartition, ProcessingStop, PartitionSession> open,
    Func<ProcessingStop> createStop
) : IAsyncDisposable
{
    private readonly SharedLimit oneAtATime = new(1);

    // Changed only after entering, read by a close before it enters.
    private volatile Incarnation? current;

    // Set when an event is not accepted: the low watermark must not pass it. A close resets it, because the client then delivers the event again.
    private volatile bool hasRefused;

    // Read and changed only after entering.
    private bool isDisposed;

    /// <summary>Passes one event to the strategy. Waits for the window first.</summary>
    /// <param name="item">The event.</param>
    /// <param name="checkpoint">Stores the position of the event.</param>
    /// <param name="cancellationToken">Ends the wait. Then the event is not accepted.</param>
    /// <exception cref="OperationCanceledException">The event is not accepted.</exception>
    /// <exception cref="InvalidOperationException">An earlier event of this incarnation was not accepted.</exception>
    public async Task AcceptAsync(T item, Func<CancellationToken, Task> checkpoint, CancellationToken cancellationToken)
    {
        try
        {
            await AcceptInTurnAsync(item, checkpoint, cancellationToken);
        }
        catch
        {
            hasRefused = true;
            throw;
        }
    }

    /// <summary>Ends an incarnation: no further event begins, and what is in flight ends within the drain limit.</summary>
    /// <param name="reason">Whether the last position may be stored.</param>
    public async Task CloseAsync(PartitionStopReason reason)
    {
        if (current is not { } ending)
        {
            hasRefused = false;
            return;
        }

        // Later events wait for the close. An event that waits for the window stops waiting.
        var turn = oneAtATime.EnterAsync(CancellationToken.None).AsTask();
        await ending.Stop.RequestAsync();
        await turn;
        try
        {
            if (current == ending)
            {
                await ending.CloseAsync(reason);
                (current, hasRefused) = (null, false);
            }
        }
        finally
        {
            oneAtATime.Leave();
        }
    }

    /// <summary>Whether an incarnation is ending, by a close or because the pump has failed.</summary>
    public bool IsEnding => current?.Stop.Requested.IsCancellationRequested == true;

    /// <summary>Begins no further events, because the pump has failed. The close follows later.</summary>
    public Task StopAsync()
    {
        try
        {
            return current?.Stop.RequestAsync() ?? Task.CompletedTask;
        }
        catch (ObjectDisposedException)
        {
            // It has closed in the meantime.
            return Task.CompletedTask;
        }
    }

    /// <summary>Closes the partition for good.</summary>
    public async ValueTask DisposeAsync()
    {
        await CloseAsync(PartitionStopReason.Shutdown);
        await oneAtATime.EnterAsync(CancellationToken.None);
        isDisposed = true;
        oneAtATime.Leave();

        // An incarnation may have begun between the two.
        await CloseAsync(PartitionStopReason.Shutdown);
    }

    private async ValueTask AcceptInTurnAsync(T item, Func<CancellationToken, Task> checkpoint, CancellationToken cancellationToken)
    {
        await oneAtATime.EnterAsync(cancellationToken);
        try
        {
            ObjectDisposedException.ThrowIf(isDisposed, this);
            if (hasRefused)
            {
                throw new InvalidOperationException($"an event of partition {partitionId} was not accepted. Close the partition before it accepts others");
            }

            await (current ??= Begin()).AcceptAsync(item, key(item), checkpoint, cancellationToken);
        }
        finally
        {
            oneAtATime.Leave();
        }
    }

    private Incarnation Begin()
    {
        var (partition, stop) = (new AcceptedPartition(partitionId), createStop());
        return new Incarnation(partition, open(partition, stop), stop);
    }

    private sealed class Incarnation(AcceptedPartition partition, PartitionSession session, ProcessingStop stop)
    {
        private long next;

        public ProcessingStop Stop => stop;

        public async ValueTask AcceptAsync(T item, string? key, Func<CancellationToken, Task> checkpoint, CancellationToken cancellationToken)
        {
            if (stop.Requested.IsCancellationRequested || session.Gate.RoomFor(1) == 0)
            {
                using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stop.Requested);
                await session.Gate.EnterAsync(1, either.Token);
            }

            var slot = new EventSlot<T>
            {
                PartitionId = partition.PartitionId,
                SequenceNumber = next++,
                Key = key,
                Event = item,
            };
            partition.Add(slot.SequenceNumber, checkpoint);
            await session.ProcessAsync(slot, cancellationToken);
        }

        public async Task CloseAsync(PartitionStopReason reason)
        {
            try
            {
                await session.CloseAsync(reason, CancellationToken.None);
            }
            finally
            {
                stop.Dispose();
            }
        }
    }
}
