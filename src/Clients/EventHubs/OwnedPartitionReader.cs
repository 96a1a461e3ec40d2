using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>How the reading of a partition ended, unless it failed.</summary>
internal enum ReadingEnd
{
    /// <summary>The processor stops.</summary>
    Stopped,

    /// <summary>Another processor has the ownership.</summary>
    Lost,

    /// <summary>Another reader took the link.</summary>
    LinkTaken,

    /// <summary>Another owner stored a checkpoint after this reader had read it: usually the owner before, which had not noticed its loss yet.</summary>
    Overtaken,
}

/// <summary>
/// One uninterrupted reading of a partition from a checkpoint on. It passes batches to the handler, stores the positions that the handler asks for, and
/// closes the handler.
/// </summary>
internal sealed class OwnedPartitionReader(
    PartitionRunContext context,
    string partitionId,
    Checkpoint? checkpoint,
    Func<CancellationToken, ValueTask> ensureOwned,
    CancellationToken ownershipLost
) : IOwnedPartition
{
    private readonly CancellationTokenSource lost = CancellationTokenSource.CreateLinkedTokenSource(ownershipLost);
    private bool handlerFailed;

    // The caller stores one position at a time, so these need no lock. A checkpoint is refused if another owner has stored one since this reader read it.
    private Checkpoint? stored = checkpoint;
    private bool isOvertaken;

    public string PartitionId => partitionId;

    public Checkpoint? StartedFrom { get; } = checkpoint;

    public CancellationToken Lost => lost.Token;

    public bool IsLost => lost.IsCancellationRequested;

    /// <summary>Reads until it is stopped or the partition is lost. Throws the failure of the reader or the handler.</summary>
    public async Task<ReadingEnd> RunAsync(CancellationToken stop)
    {
        var handler = context.OpenHandler(this);
        var reason = PartitionStopReason.Faulted;
        try
        {
            var end = await ReadAsync(handler, stop).ConfigureAwait(false);
            reason = end == ReadingEnd.Stopped ? PartitionStopReason.Shutdown : PartitionStopReason.OwnershipLost;
            return isOvertaken ? ReadingEnd.Overtaken : end;
        }
        finally
        {
            // After a failure of the handler the partition is still ours, and complete events may be checkpointed.
            await CloseAsync(handler, handlerFailed ? PartitionStopReason.Shutdown : reason).ConfigureAwait(false);
        }
    }

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ensureOwned(cancellationToken);

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        await LookAsync(cancellationToken).ConfigureAwait(false);
        if (IsLost)
        {
            throw NotOurs();
        }

        try
        {
            stored = await context
                .Store.WriteCheckpointAsync(partitionId, position, context.Options.Identifier, stored, context.Options.Fencing, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            isOvertaken = true;
            Log.CheckpointRefused(context.Log, partitionId, taken);
            await lost.CancelAsync().ConfigureAwait(false);
            throw;
        }
    }

    // An unconditional checkpoint would overwrite the next owner's with an older position.
    private async ValueTask LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            await ensureOwned(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (IsLost)
        {
            // The caller receives this as the result.
        }
    }

    private async Task<ReadingEnd> ReadAsync(IPartitionHandler handler, CancellationToken stop)
    {
        using var reading = CancellationTokenSource.CreateLinkedTokenSource(stop, lost.Token);
        try
        {
            var receiver = await context.OpenReceiver(partitionId, StartedFrom, reading.Token).ConfigureAwait(false);
            await using (receiver.ConfigureAwait(false))
            {
                while (true)
                {
                    var batch = await receiver.ReceiveAsync(reading.Token).ConfigureAwait(false);
                    await ProcessAsync(handler, batch).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (reading.IsCancellationRequested)
        {
            return IsLost ? ReadingEnd.Lost : ReadingEnd.Stopped;
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            var known = IsLost;
            if (!known)
            {
                Log.LinkTaken(context.Log, partitionId, taken);
            }

            await lost.CancelAsync().ConfigureAwait(false);
            return known ? ReadingEnd.Lost : ReadingEnd.LinkTaken;
        }
    }

    private async Task ProcessAsync(IPartitionHandler handler, EventBatch batch)
    {
        try
        {
            // Not the stopping token: a batch that was begun is finished, within the handler's limits, unless the partition is lost.
            await handler.ProcessAsync(batch, lost.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (IsLost)
        {
            throw NotOurs();
        }
        catch (Exception failure) when (failure is not MessagingException { Kind: FailureKind.OwnershipLost })
        {
            handlerFailed = true;
            throw;
        }
    }

    private async Task CloseAsync(IPartitionHandler handler, PartitionStopReason reason)
    {
        // A partition that is lost while it closes must not be checkpointed. If it was lost before, there is nothing to cancel.
        var token = reason == PartitionStopReason.Shutdown ? lost.Token : CancellationToken.None;
        try
        {
            await handler.CloseAsync(reason, token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (IsLost)
        {
            // The caller receives this as the result.
        }
    }

    private MessagingException NotOurs() => new(FailureKind.OwnershipLost, $"partition {partitionId} has another owner");
}
