using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>What the runs of one processor share.</summary>
/// <param name="Store">Where ownerships and checkpoints are.</param>
/// <param name="Options">The processor's options.</param>
/// <param name="OpenHandler">Makes the handler of an incarnation.</param>
/// <param name="OpenReceiver">Makes a reader that starts after a checkpoint, or where the options say.</param>
internal sealed record PartitionRunContext(
    ICheckpointStore Store,
    EventHubProcessorOptions Options,
    Func<IOwnedPartition, IPartitionHandler> OpenHandler,
    Func<string, Checkpoint?, CancellationToken, Task<PartitionReceiver>> OpenReceiver);

/// <summary>
/// One incarnation of a partition: reads its checkpoint, hands its batches over, closes its handler and gives the ownership up.
/// </summary>
internal sealed class PartitionRun(PartitionRunContext context, Ownership claimed)
{
    private static readonly TimeSpan RelinquishLimit = TimeSpan.FromSeconds(5);

    // Serialises renewing and giving up, which both need the newest version.
    private readonly SemaphoreSlim owning = new(1, 1);
    private readonly CancellationTokenSource lost = new();
    private Ownership ownership = claimed;
    private long renewedAt = context.Options.TimeProvider.GetTimestamp();
    private bool givenUp;
    private bool refused;
    private bool stolen;
    private bool handlerFailed;

    public string PartitionId { get; } = claimed.PartitionId;

    public bool IsLost => lost.IsCancellationRequested;

    /// <summary>Whether the link was taken while the store still had this ownership; known when the run has ended.</summary>
    public bool TakenWithoutClaim { get; private set; }

    /// <summary>Renews the ownership if half an interval has passed since the last time; a refusal means that it is lost.</summary>
    public async Task RenewAsync(CancellationToken cancellationToken)
    {
        await owning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            TimeProvider clock = context.Options.TimeProvider;
            if (givenUp || IsLost || clock.GetElapsedTime(renewedAt) < context.Options.BalancingInterval / 2)
            {
                return;
            }

            long started = clock.GetTimestamp();
            Ownership? renewed = await context.Store.ClaimAsync(
                PartitionId, context.Options.Identifier, ownership.ETag, cancellationToken).ConfigureAwait(false);
            if (renewed is null)
            {
                refused = true;
                await lost.CancelAsync().ConfigureAwait(false);
                return;
            }

            ownership = renewed;
            renewedAt = started;
        }
        finally
        {
            owning.Release();
        }
    }

    /// <summary>Runs until reading is stopped, the partition is lost, or something fails. Throws only what must end the processor.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        try
        {
            (bool known, Checkpoint? checkpoint) = await ReadCheckpointAsync(stop).ConfigureAwait(false);
            if (known)
            {
                await RunOwnedAsync(checkpoint, stop).ConfigureAwait(false);
            }
        }
        finally
        {
            await GiveUpAsync().ConfigureAwait(false);
        }
    }

    // Not known when stopped first, or when the store does not answer: given up then, and claimed again by whoever comes first.
    private async Task<(bool Known, Checkpoint? Checkpoint)> ReadCheckpointAsync(CancellationToken stop)
    {
        try
        {
            return (true, await context.Store.ReadCheckpointAsync(PartitionId, stop).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return default;
        }
        catch (MessagingException failed) when (failed.IsTransient)
        {
            return default;
        }
    }

    private async Task RunOwnedAsync(Checkpoint? checkpoint, CancellationToken stop)
    {
        IPartitionHandler handler = context.OpenHandler(new OwnedPartition(context, PartitionId, checkpoint, lost));
        PartitionStopReason reason = PartitionStopReason.Faulted;
        try
        {
            reason = await ReadAsync(handler, checkpoint, stop).ConfigureAwait(false);
        }
        finally
        {
            // When the handler failed, the partition is still ours and what is complete may be checkpointed.
            await CloseAsync(handler, handlerFailed ? PartitionStopReason.Shutdown : reason).ConfigureAwait(false);
        }
    }

    private async Task<PartitionStopReason> ReadAsync(IPartitionHandler handler, Checkpoint? checkpoint, CancellationToken stop)
    {
        using CancellationTokenSource reading = CancellationTokenSource.CreateLinkedTokenSource(stop, lost.Token);
        try
        {
            PartitionReceiver receiver = await context.OpenReceiver(PartitionId, checkpoint, reading.Token).ConfigureAwait(false);
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
            return IsLost ? PartitionStopReason.OwnershipLost : PartitionStopReason.Shutdown;
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            stolen = true;
            await lost.CancelAsync().ConfigureAwait(false);
            return PartitionStopReason.OwnershipLost;
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
            throw new MessagingException(FailureKind.OwnershipLost, $"partition {PartitionId} has another owner");
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

    private async Task GiveUpAsync()
    {
        await owning.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            givenUp = true;
            if (refused)
            {
                return;
            }

            // Even when only the link was taken: if the store still has our version, nobody else would get the partition before
            // it expires; if not, the condition keeps this from doing harm.
            // Its own limit, since the stopping token is cancelled by now.
            using CancellationTokenSource limit = new(RelinquishLimit, context.Options.TimeProvider);
            Ownership? given = await context.Store.ClaimAsync(PartitionId, string.Empty, ownership.ETag, limit.Token).ConfigureAwait(false);
            TakenWithoutClaim = stolen && given is not null;
        }
        catch (Exception exception) when (exception is MessagingException or OperationCanceledException)
        {
            // It expires by itself.
        }
        finally
        {
            owning.Release();
        }
    }
}
