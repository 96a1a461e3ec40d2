using System.Runtime.CompilerServices;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Writing;

/// <summary>
/// A sink as a strategy sees it. It reports the beginning and the outcome of a write to the tracker. Completion is decided here, so that no strategy can
/// forget it.
/// </summary>
/// <param name="name">The sink's name.</param>
/// <param name="place">The sink's place among the sinks.</param>
/// <param name="write">Writes, and tries again.</param>
/// <param name="batches">The same for several events in one operation. Null for a sink without batches.</param>
/// <param name="poisoned">Decides about an event whose tries are used up.</param>
/// <param name="tracker">Receives beginnings and outcomes.</param>
/// <param name="ownership">The ownership that the writes belong to.</param>
/// <param name="notices">Receives cancelled writes.</param>
/// <param name="faults">Receives a fault before it is thrown.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class TrackedSink(
    string name,
    int place,
    SinkWrite write,
    BatchedWrite? batches,
    PoisonedWrite poisoned,
    EventTracker tracker,
    PartitionOwnership ownership,
    WriteNotices notices,
    ProcessingFaults faults,
    TimeProvider timeProvider
) : ITrackedSink
{
    public string Name => name;

    /// <remarks>
    /// The strategy's token is not passed on: a write that was begun is finished. Otherwise its outcome would be unknown and the event delivered again. Only
    /// the loss of the partition and the drain limit cancel it.
    /// </remarks>
    public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
        FollowAsync(receivedEvent, timeProvider.GetTimestamp(), batched: null);

    public int LargestBatch => batches?.LargestBatch ?? 1;

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(StartBatch(events, cancellationToken));

    public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        if (batches is null)
        {
            return [.. events.Select(receivedEvent => StartAsync(receivedEvent, cancellationToken))];
        }

        var started = timeProvider.GetTimestamp();
        var ends = new Task<WriteOutcome>[events.Count];
        var begun = new List<int>(events.Count);
        for (var at = 0; at < events.Count; at++)
        {
            // An event that may not begin any more, at a stop, does not prevent the others.
            try
            {
                Begin(events[at].SequenceNumber, started);
                begun.Add(at);
            }
            catch (Exception refused)
            {
                ends[at] = Task.FromException<WriteOutcome>(refused);
            }
        }

        var writes = batches.Start([.. begun.Select(at => events[at])], started);
        foreach (var (at, batched) in begun.Zip(writes))
        {
            ends[at] = FollowAsync(events[at], started, batched).AsTask();
        }

        return ends;
    }

    private async Task<WriteOutcome> StartAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
        await WriteAsync(receivedEvent, cancellationToken);

    private void Begin(long sequence, long started)
    {
        var stopping = ownership.Stop.Requested;
        switch (tracker.Begin(sequence, started, stopping.IsCancellationRequested))
        {
            case TrackResult.Closed:
                throw new OperationCanceledException(
                    $"partition {ownership.PartitionId} is stopping: event {sequence} is not started",
                    stopping.IsCancellationRequested ? stopping : ownership.Writes
                );
            case TrackResult.Unknown:
                throw faults.Report(
                    ProcessingFaultKind.InvariantBreached,
                    $"a strategy wrote event {sequence} of partition {ownership.PartitionId} to {Name}, but the event was never delivered"
                );
        }
    }

    // Follows a write from its beginning to its end. A batch has begun all of its events together. Pooled: called for every write, and most of them wait.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private async ValueTask<WriteOutcome> FollowAsync(EventSlot receivedEvent, long started, Task<TriedWrite>? batched)
    {
        var sequence = receivedEvent.SequenceNumber;
        if (batched is null)
        {
            Begin(sequence, started);
        }

        try
        {
            var tried = batched is null ? await write.WriteAsync(receivedEvent, started) : await batched;
            if (tried.Failure is not null)
            {
                tried = await poisoned.SettleAsync(receivedEvent, tried, started);
            }

            var now = timeProvider.GetTimestamp();
            if (tried.DeadLettered)
            {
                tracker.DeadLetter(sequence, place, now);
            }
            else
            {
                tracker.Acknowledge(sequence, place, started, now);
            }

            return new WriteOutcome(timeProvider.GetElapsedTime(started, now), tried.Attempts, tried.Throttled, tried.DeadLettered);
        }
        catch (OperationCanceledException) when (ownership.Writes.IsCancellationRequested)
        {
            tracker.Abandon(sequence, EventState.Cancelled);
            notices.Cut();
            throw;
        }
        catch (Exception)
        {
            tracker.Abandon(sequence, EventState.Failed);
            throw;
        }
    }
}
