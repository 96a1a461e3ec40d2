using System.Runtime.ExceptionServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// One ownership of one partition. It passes each batch to the strategy as far as window and replay limit allow. Where the strategy has a barrier, it
/// verifies that the batch is complete. It has the low watermark stored, and ends in order.
/// </summary>
internal sealed class PartitionSession : ISlotHandler
{
    private static readonly TimeSpan FinalCheckpointLimit = TimeSpan.FromSeconds(5);

    private long? idleSince;
    private bool lost;
    private bool failed;
    private bool gaveUpStoring;

    public required PartitionOwnership Ownership { get; init; }

    public required EventTracker Tracker { get; init; }

    /// <summary>The record of the invariant checks. No decision depends on it.</summary>
    public required DeliveredEvents Record { get; init; }

    /// <summary>All observers, in the order in which they are called.</summary>
    public required PartitionObserver[] Observers { get; init; }

    public required StrategyDescriptor Descriptor { get; init; }

    public required IProcessingStrategy Strategy { get; init; }

    public required CheckpointWriter Writer { get; init; }

    /// <summary>Checkpoints by count and time. Null stores at each batch end.</summary>
    public CheckpointSchedule? Schedule { get; init; }

    /// <summary>At which batch ends a checkpoint is stored where there is no schedule.</summary>
    public required BatchEndPolicy BatchEnds { get; init; }

    /// <summary>Holds the session back at window and replay limit.</summary>
    public required DispatchGate Gate { get; init; }

    /// <summary>The deadlines of the writes.</summary>
    public required DeadlinePool Deadlines { get; init; }

    public required ProcessingFaults Faults { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    /// <summary>Whether writes in flight are cut when the partition is lost. Otherwise they finish. Default true.</summary>
    public bool CutsWhenLost { get; init; } = true;

    private string Partition => Ownership.PartitionId;

    /// <remarks>
    /// The processor's token signals that reading stops. It does not cancel the batch: events in flight finish within the drain limit, which the ownership's
    /// token enforces.
    /// </remarks>
    public async Task ProcessAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        if (lost || Ownership.IsEnding)
        {
            return;
        }

        try
        {
            await ProcessBatchAsync(batch);
        }
        catch (OperationCanceledException) when (Ownership.IsEnding)
        {
            // Stopping or lost: unfinished events stay above the watermark and are delivered again.
        }
        catch (ProcessingFaultException)
        {
            failed = true;
            await StoreLastAsync();
            throw;
        }
        catch (Exception)
        {
            // A bug of the strategy: other writes of the batch may still run, without a waiting caller.
            await Ownership.CutAsync();
            await StoreLastAsync();
            throw;
        }
    }

    public async Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
    {
        if (reason == PartitionStopReason.OwnershipLost)
        {
            lost = true;
            Writer.Stop();
            if (CutsWhenLost)
            {
                Tracker.Close();
                await Ownership.CutAsync();
            }
        }

        // If a strategy throws at its end, the position is stored and everything is released before the exception is reported.
        var bug = await EndStrategyAsync();
        CheckDrained();
        if (Schedule is not null)
        {
            await Schedule.DisposeAsync();
        }

        if (!lost)
        {
            Notify(static observer => observer.Closing());
            await StoreLastAsync();
            ReportCutWrites();
            CheckAccounts();
        }

        Tracker.Close();
        Deadlines.Dispose();
        Ownership.Dispose();
        Notify(observer => observer.Closed(lost));
        bug?.Throw();
    }

    private async Task ProcessBatchAsync(IReadOnlyList<EventSlot> batch)
    {
        var clock = TimeProvider;
        var started = clock.GetTimestamp();
        TimeSpan? waited = idleSince is { } since ? clock.GetElapsedTime(since, started) : null;
        foreach (var observer in Observers)
        {
            observer.BatchReceived(batch.Count, waited);
        }

        for (var next = 0; next < batch.Count; )
        {
            var count = await EnterAsync(batch.Count - next);
            if (count == 0)
            {
                lost = true;
                return;
            }

            await HandOverAsync(count == batch.Count ? batch : [.. batch.Skip(next).Take(count)]);
            next += count;
        }

        Notify(static observer => observer.BatchEnding());
        if (Schedule is null && BatchEnds.IsDueAt(batch[^1].SequenceNumber))
        {
            await StoreBatchEndAsync();
        }

        idleSince = clock.GetTimestamp();
        var elapsed = clock.GetElapsedTime(started, idleSince.Value);
        foreach (var observer in Observers)
        {
            observer.BatchEnded(batch.Count, elapsed);
        }
    }

    // Nothing is handed over beyond the window and the replay limit. Processing that stops waits for neither.
    private async ValueTask<int> EnterAsync(int wanted)
    {
        if (Gate.RoomFor(wanted) is > 0 and var free)
        {
            return free;
        }

        var started = TimeProvider.GetTimestamp();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(Ownership.Writes, Ownership.Stop.Requested);
        try
        {
            return await Gate.EnterAsync(wanted, either.Token);
        }
        catch (MessagingException failure)
        {
            throw CheckpointFault(failure);
        }
        finally
        {
            var elapsed = TimeProvider.GetElapsedTime(started);
            foreach (var observer in Observers)
            {
                observer.WaitedForRoom(elapsed);
            }
        }
    }

    private async Task HandOverAsync(IReadOnlyList<EventSlot> batch)
    {
        if (!Tracker.TryHandOver(batch, out var offender))
        {
            throw Faults.Report(
                ProcessingFaultKind.InvariantBreached,
                $"partition {Partition} delivered event {offender} again, or out of order, within one ownership"
            );
        }

        await Strategy.DispatchAsync(batch, Ownership.Writes);
        if (Descriptor.IsBarrier)
        {
            ThrowIfUnacknowledged(Tracker.Unfinished());
        }
    }

    // What was begun is finished when the strategy has drained. What was not begun is delivered again, if processing stops or has failed.
    private void CheckDrained()
    {
        if (failed || Ownership.Writes.IsCancellationRequested)
        {
            return;
        }

        var left = Tracker.Unfinished(onlyInFlight: Ownership.Stop.Requested.IsCancellationRequested || Faults.Raised.IsCompleted);
        if (left.Count > 0)
        {
            Unacknowledged(left);
        }
    }

    // Counts of a partition whose writes were cancelled may still change.
    private void CheckAccounts()
    {
        if (!failed && !Ownership.Writes.IsCancellationRequested)
        {
            CompletionCounts counts;
            lock (Tracker.Gate)
            {
                counts = new CompletionCounts(Tracker.Completed, Record.Completed, Meters: null);
            }

            foreach (var observer in Observers)
            {
                AccountCheck.AtTheEnd(Partition, counts with { Meters = observer.Completions }, Faults);
            }
        }
    }

    // The return of a strategy proves nothing.
    private void ThrowIfUnacknowledged(UnfinishedEvents left)
    {
        if (left.Count == 0)
        {
            return;
        }

        // A strategy that does not report a stop breaks no promise: the watermark is before the events that it left.
        if (Ownership.IsEnding)
        {
            throw new OperationCanceledException(Ownership.Writes);
        }

        throw Unacknowledged(left);
    }

    private ProcessingFaultException Unacknowledged(UnfinishedEvents left) =>
        Faults.Report(
            ProcessingFaultKind.InvariantBreached,
            $"strategy '{Descriptor.Name}' returned with {left.Count} {(left.Count == 1 ? "event" : "events")} unacknowledged on partition {Partition}, first {left.First}"
        );

    private async Task StoreBatchEndAsync()
    {
        try
        {
            lost = await Writer.FlushAsync(Ownership.Writes) == FlushResult.OwnershipLost;
        }
        catch (MessagingException failure)
        {
            throw CheckpointFault(failure);
        }
    }

    // A new token: that of the processing is cancelled by now, and the position must still be stored.
    private async Task StoreLastAsync()
    {
        if (gaveUpStoring)
        {
            return;
        }

        using var limit = new CancellationTokenSource(FinalCheckpointLimit, TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, Ownership.Lost);
        try
        {
            lost = await Writer.FlushAsync(either.Token) == FlushResult.OwnershipLost;
        }
        catch (OperationCanceledException) when (Ownership.Lost.IsCancellationRequested)
        {
            // The next owner stores from here on.
            lost = true;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            gaveUpStoring = true;
            Faults.Report(
                ProcessingFaultKind.Dependency,
                $"the last checkpoint of partition {Partition} was not confirmed within {FinalCheckpointLimit.TotalSeconds:0} s",
                partition: Partition
            );
        }
        catch (MessagingException failure)
        {
            CheckpointFault(failure);
        }
        catch (ProcessingFaultException)
        {
            // Reported where it was raised.
        }
    }

    // Returns a bug of the strategy itself. Cancellations and faults are already reported.
    private async Task<ExceptionDispatchInfo?> EndStrategyAsync()
    {
        ExceptionDispatchInfo? bug = null;
        try
        {
            await Strategy.DrainAsync(Ownership.Writes);
        }
        catch (Exception failure)
        {
            bug = await BugOfAsync(failure);
        }

        try
        {
            await Strategy.DisposeAsync();
        }
        catch (Exception failure)
        {
            bug ??= await BugOfAsync(failure);
        }

        return bug;
    }

    private async Task<ExceptionDispatchInfo?> BugOfAsync(Exception failure)
    {
        if (failure is ProcessingFaultException || (failure is OperationCanceledException && Ownership.IsEnding))
        {
            // Reported where it was raised, or cancelled: its events stay above the watermark.
            return null;
        }

        // No caller waits for writes that still run.
        await Ownership.CutAsync();
        return ExceptionDispatchInfo.Capture(failure);
    }

    private void ReportCutWrites()
    {
        var left = Tracker.Unfinished();
        if (left.Cancelled > 0 && Ownership.Stop.Cut.IsCancellationRequested && !Ownership.Stop.ServicesGone)
        {
            var position = Tracker.Read() is { } reading ? $"at {reading.Position.SequenceNumber}" : "before its first event";
            Faults.Report(
                ProcessingFaultKind.DrainLimit,
                $"drain limit {Ownership.Stop.DrainLimit.TotalSeconds:0.###} s exceeded: {left.Cancelled} in flight, partition {Partition} {position}",
                partition: Partition
            );
        }
    }

    private ProcessingFaultException CheckpointFault(MessagingException failure) =>
        Faults.Report(ProcessingFaultKind.Dependency, $"checkpoint of partition {Partition}: {failure.Message}", failure, Partition);

    private void Notify(Action<PartitionObserver> what) => Array.ForEach(Observers, what);
}
