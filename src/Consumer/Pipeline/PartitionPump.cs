using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Invariants;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>
/// Moves the batches of one partition to its strategy during one incarnation: registers the batch with the watermark, lets the
/// strategy write it, verifies that nothing of it is left, and has the watermark stored.
/// </summary>
internal sealed class PartitionPump(PumpParts parts) : IPartitionHandler
{
    private static readonly TimeSpan FinalCheckpointLimit = TimeSpan.FromSeconds(5);

    private long? idleSince;
    private bool lost;
    private bool failed;
    private bool gaveUpStoring;

    private Incarnation Incarnation => parts.Incarnation;

    private string Partition => parts.Incarnation.PartitionId;

    /// <remarks>
    /// The processor's token says that reading stops. The batch is not cut for that: what is in flight finishes within the drain
    /// limit, which the incarnation's own token enforces.
    /// </remarks>
    public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        if (lost || Incarnation.Stop.Requested.IsCancellationRequested || Incarnation.Writes.IsCancellationRequested)
        {
            return;
        }

        try
        {
            await ProcessBatchAsync(batch);
        }
        catch (OperationCanceledException) when (Incarnation.Stop.Requested.IsCancellationRequested || Incarnation.Writes.IsCancellationRequested)
        {
            // Stopping or lost: what was not finished stays above the watermark and is delivered again.
        }
        catch (RunFaultException)
        {
            failed = true;
            await StoreLastAsync();
            throw;
        }
        catch (Exception)
        {
            // A bug of strategy or sink: other writes of the batch may still run, and nobody waits for them now.
            await Incarnation.CutAsync();
            await StoreLastAsync();
            throw;
        }
    }

    public async Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
    {
        if (reason == PartitionStopReason.OwnershipLost)
        {
            lost = true;
            parts.Writer.Stop();
            Incarnation.Watermark.Close();
            await Incarnation.CutAsync();
        }

        await DrainStrategyAsync();
        CheckDrained();
        if (parts.Schedule is not null)
        {
            await parts.Schedule.DisposeAsync();
        }

        if (!lost)
        {
            Incarnation.KillSwitch.Reached(KillPoint.K11);
            await StoreLastAsync();
            ReportCutWrites();
            CheckAccounts();
        }

        Incarnation.Watermark.Close();
        Incarnation.Dispose();
    }

    private async Task ProcessBatchAsync(EventBatch batch)
    {
        var clock = parts.TimeProvider;
        var started = clock.GetTimestamp();
        parts.Meters.BatchStarted(batch, idleSince is { } since ? clock.GetElapsedTime(since, started) : null);
        for (var next = 0; next < batch.Events.Count; )
        {
            var count = await EnterAsync(batch.Events.Count - next);
            if (count == 0)
            {
                lost = true;
                return;
            }

            await HandOverAsync(count == batch.Events.Count ? batch : new EventBatch(batch.PartitionId, [.. batch.Events.Skip(next).Take(count)]));
            next += count;
        }

        Incarnation.KillSwitch.Reached(KillPoint.K10);
        if (parts.Schedule is null)
        {
            await StoreBatchEndAsync();
        }

        idleSince = clock.GetTimestamp();
        parts.Meters.BatchEnded(batch.Events.Count, clock.GetElapsedTime(started, idleSince.Value));
    }

    // Nothing is handed over beyond the window and the replay limit; a run that stops waits for neither.
    private async ValueTask<int> EnterAsync(int wanted)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(Incarnation.Writes, Incarnation.Stop.Requested);
        try
        {
            return await parts.Gate.EnterAsync(wanted, either.Token);
        }
        catch (MessagingException failure)
        {
            throw CheckpointFault(failure);
        }
    }

    private async Task HandOverAsync(EventBatch batch)
    {
        if (!Incarnation.Watermark.TryRegister(batch.Events, out var offender))
        {
            throw parts.Faults.Report(
                ExitCode.InvariantBreached,
                $"partition {Partition} delivered event {offender} again, or out of order, within one ownership"
            );
        }

        Incarnation.Delivered.Add(batch.Events);
        parts.Window.AfterHandingOver(DispatchLoad.Of(Incarnation.Watermark, parts.Writer));
        Incarnation.KillSwitch.Reached(KillPoint.K1);
        await parts.Strategy.ProcessAsync(batch, parts.Sinks, Incarnation.Writes);
        if (parts.Descriptor.IsBarrier)
        {
            ThrowIfUnacknowledged(Incarnation.Watermark.Unfinished());
        }
    }

    // What was begun is finished when the strategy has drained; what was not begun is delivered again.
    private void CheckDrained()
    {
        if (failed || Incarnation.Writes.IsCancellationRequested)
        {
            return;
        }

        var left = Incarnation.Watermark.Unfinished(onlyInFlight: Incarnation.Stop.Requested.IsCancellationRequested);
        if (left.Count > 0)
        {
            Unacknowledged(left);
        }
    }

    // Counts of a partition whose writes were cut may still be moving.
    private void CheckAccounts()
    {
        if (!failed && !Incarnation.Writes.IsCancellationRequested)
        {
            AccountCheck.AtTheEnd(
                Partition,
                new CompletionCounts(Incarnation.Watermark.Completed, Incarnation.Delivered.Completed, parts.Meters.Finished),
                parts.Faults
            );
        }
    }

    // A strategy's return proves nothing.
    private void ThrowIfUnacknowledged(UnfinishedEvents left)
    {
        if (left.Count == 0)
        {
            return;
        }

        // A strategy that hides that it was stopped breaks no promise: the watermark stands before what it left.
        if (Incarnation.Stop.Requested.IsCancellationRequested || Incarnation.Writes.IsCancellationRequested)
        {
            throw new OperationCanceledException(Incarnation.Writes);
        }

        throw Unacknowledged(left);
    }

    private RunFaultException Unacknowledged(UnfinishedEvents left) =>
        parts.Faults.Report(
            ExitCode.InvariantBreached,
            $"strategy '{parts.Descriptor.Name}' returned with {left.Count} {(left.Count == 1 ? "event" : "events")} unacknowledged on partition {Partition}, first {left.First}"
        );

    private async Task StoreBatchEndAsync()
    {
        try
        {
            lost = await parts.Writer.FlushAsync(Incarnation.Writes) == FlushResult.OwnershipLost;
        }
        catch (MessagingException failure)
        {
            throw CheckpointFault(failure);
        }
    }

    // A fresh token: the one of the run is cancelled by now, and that must not lose the position.
    private async Task StoreLastAsync()
    {
        if (gaveUpStoring)
        {
            return;
        }

        using var limit = new CancellationTokenSource(FinalCheckpointLimit, parts.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, Incarnation.Lost);
        try
        {
            lost = await parts.Writer.FlushAsync(either.Token) == FlushResult.OwnershipLost;
        }
        catch (OperationCanceledException) when (Incarnation.Lost.IsCancellationRequested)
        {
            // The next owner stores from here on.
            lost = true;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            gaveUpStoring = true;
            parts.Faults.Report(
                ExitCode.Dependency,
                $"the last checkpoint of partition {Partition} was not confirmed within {FinalCheckpointLimit.TotalSeconds:0} s"
            );
        }
        catch (MessagingException failure)
        {
            CheckpointFault(failure);
        }
        catch (RunFaultException)
        {
            // Reported where it was raised.
        }
    }

    private async Task DrainStrategyAsync()
    {
        try
        {
            await parts.Strategy.DrainAsync(Incarnation.Writes);
        }
        catch (OperationCanceledException) when (Incarnation.Writes.IsCancellationRequested || Incarnation.Stop.Requested.IsCancellationRequested)
        {
            // Cut: its events stay above the watermark.
        }
        catch (RunFaultException)
        {
            // Reported where it was raised.
        }
    }

    private void ReportCutWrites()
    {
        var left = Incarnation.Watermark.Unfinished();
        if (left.Cancelled > 0 && Incarnation.Stop.Cut.IsCancellationRequested && !Incarnation.Stop.ServicesGone)
        {
            var position = Incarnation.Watermark.Read() is { } reading ? $"at {reading.Position.SequenceNumber}" : "before its first event";
            parts.Faults.Report(
                ExitCode.DrainLimit,
                $"drain limit {Incarnation.Stop.DrainLimit.TotalSeconds:0.###} s exceeded: {left.Cancelled} in flight, partition {Partition} {position}"
            );
        }
    }

    private RunFaultException CheckpointFault(MessagingException failure) =>
        parts.Faults.Report(ExitCode.Dependency, $"checkpoint of partition {Partition}: {failure.Message}", failure);
}
