using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>How the reading of a partition ended, unless it failed.</summary>
internal enum IncarnationEnd
{
    /// <summary>The processor stops.</summary>
    Stopped,

    /// <summary>The ownership is somebody else's.</summary>
    Lost,

    /// <summary>Another reader took the link.</summary>
    LinkTaken,

    /// <summary>Somebody stored a checkpoint after this incarnation had read it: most often the owner before, who had not noticed yet.</summary>
    Overtaken,
}

/// <summary>One unbroken reading of a partition from a checkpoint on: hands its batches over and closes its handler.</summary>
internal sealed class PartitionIncarnation(PartitionRunContext context, string partitionId, Checkpoint? checkpoint, CancellationToken ownershipLost)
{
    private readonly CancellationTokenSource lost = CancellationTokenSource.CreateLinkedTokenSource(ownershipLost);
    private bool handlerFailed;

    public bool IsLost => lost.IsCancellationRequested;

    /// <summary>Reads until it is stopped or the partition is lost. Throws what the reader or the handler failed with.</summary>
    public async Task<IncarnationEnd> RunAsync(CancellationToken stop)
    {
        OwnedPartition owned = new(context, partitionId, checkpoint, lost);
        IPartitionHandler handler = context.OpenHandler(owned);
        PartitionStopReason reason = PartitionStopReason.Faulted;
        try
        {
            IncarnationEnd end = await ReadAsync(handler, stop).ConfigureAwait(false);
            reason = end == IncarnationEnd.Stopped ? PartitionStopReason.Shutdown : PartitionStopReason.OwnershipLost;
            return owned.IsOvertaken ? IncarnationEnd.Overtaken : end;
        }
        finally
        {
            // When the handler failed, the partition is still ours and what is complete may be checkpointed.
            await CloseAsync(handler, handlerFailed ? PartitionStopReason.Shutdown : reason).ConfigureAwait(false);
        }
    }

    private async Task<IncarnationEnd> ReadAsync(IPartitionHandler handler, CancellationToken stop)
    {
        using CancellationTokenSource reading = CancellationTokenSource.CreateLinkedTokenSource(stop, lost.Token);
        try
        {
            PartitionReceiver receiver = await context.OpenReceiver(partitionId, checkpoint, reading.Token).ConfigureAwait(false);
            await using (receiver.ConfigureAwait(false))
            {
                while (true)
                {
                    EventBatch batch = await receiver.ReceiveAsync(reading.Token).ConfigureAwait(false);
                    await ProcessAsync(handler, batch).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (reading.IsCancellationRequested)
        {
            return IsLost ? IncarnationEnd.Lost : IncarnationEnd.Stopped;
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            bool known = IsLost;
            await lost.CancelAsync().ConfigureAwait(false);
            return known ? IncarnationEnd.Lost : IncarnationEnd.LinkTaken;
        }
    }

    private async Task ProcessAsync(IPartitionHandler handler, EventBatch batch)
    {
        try
        {
            // Not the stopping token: a batch that was begun is finished, within the handler's own limits, unless the partition is lost.
            await handler.ProcessAsync(batch, lost.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (IsLost)
        {
            throw new MessagingException(FailureKind.OwnershipLost, $"partition {partitionId} has another owner");
        }
        catch (Exception failure) when (failure is not MessagingException { Kind: FailureKind.OwnershipLost })
        {
            handlerFailed = true;
            throw;
        }
    }

    private async Task CloseAsync(IPartitionHandler handler, PartitionStopReason reason)
    {
        // A partition that is lost in the middle of its closing must not be checkpointed; one that was lost before has nothing to cancel.
        CancellationToken token = reason == PartitionStopReason.Shutdown ? lost.Token : CancellationToken.None;
        try
        {
            await handler.CloseAsync(reason, token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (IsLost)
        {
            // As said.
        }
    }
}
