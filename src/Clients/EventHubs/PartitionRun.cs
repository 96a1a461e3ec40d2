using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The common parts of the runs of one processor.</summary>
/// <param name="Store">The store of ownerships and checkpoints.</param>
/// <param name="Options">The processor's options.</param>
/// <param name="OpenHandler">Creates the handler of an ownership.</param>
/// <param name="OpenReceiver">Creates a reader that starts after a checkpoint, or at the start of the options.</param>
/// <param name="DuplicateIdentifierDetector">Decides which ownerships under the processor's name are its own.</param>
/// <param name="Log">Logs failures that are swallowed.</param>
internal sealed record PartitionRunContext(
    ICheckpointStore Store,
    EventHubProcessorOptions Options,
    Func<IOwnedPartition, IPartitionHandler> OpenHandler,
    Func<string, Checkpoint?, CancellationToken, Task<PartitionReceiver>> OpenReceiver,
    DuplicateIdentifierDetector DuplicateIdentifierDetector,
    ILogger Log
);

/// <summary>The run of a claimed partition: keeps the ownership, reads the partition from its checkpoint on, and gives the ownership up.</summary>
internal sealed class PartitionRun(PartitionRunContext context, Ownership claimed)
{
    private static readonly TimeSpan StoreLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LookPause = TimeSpan.FromMilliseconds(100);

    // Serialises renewing and giving up, which both need the newest version.
    private readonly SemaphoreSlim owning = new(1, 1);
    private readonly CancellationTokenSource refused = new();
    private Ownership ownership = claimed;
    private readonly OwnershipLease lease = new(context.Options.TimeProvider, context.Options.OwnershipExpiry);
    private bool givenUp;
    private volatile OwnedPartitionReader? reader;

    public string PartitionId { get; } = claimed.PartitionId;

    public bool IsLost => refused.IsCancellationRequested || reader is { IsLost: true };

    /// <summary>Whether the link was taken while the store still had this ownership. Valid after the run has ended.</summary>
    public bool TakenWithoutClaim { get; private set; }

    /// <summary>Renews the ownership if half an interval has passed since the last time. A refusal means that it is lost.</summary>
    public async Task RenewAsync(CancellationToken cancellationToken)
    {
        await owning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!givenUp && !IsLost && lease.Age >= context.Options.BalancingInterval / 2)
            {
                await ClaimAgainAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            owning.Release();
        }
    }

    /// <summary>Runs until reading is stopped, the partition is lost, or something fails. Throws only what must end the processor.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        ReadingEnd? end = null;
        try
        {
            end = await ReadAsync(stop).ConfigureAwait(false);
            if (end == ReadingEnd.Overtaken && await IsStillOursAsync().ConfigureAwait(false))
            {
                // Giving it up would leave it without an owner for an interval. Only once: a reader that is overtaken again gives up.
                end = await ReadAsync(stop).ConfigureAwait(false);
            }
        }
        finally
        {
            var given = await GiveUpAsync().ConfigureAwait(false);
            TakenWithoutClaim = given && end == ReadingEnd.LinkTaken;
            Log.ReadingEnded(context.Log, PartitionId, end?.ToString() ?? "failed, or never begun");
        }
    }

    // Null when it was stopped first, or when the store does not answer. Then the partition is given up, and any processor may claim it again.
    private async Task<ReadingEnd?> ReadAsync(CancellationToken stop)
    {
        Checkpoint? checkpoint;
        try
        {
            checkpoint = await context.Store.ReadCheckpointAsync(PartitionId, stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return null;
        }
        catch (MessagingException failed) when (failed.IsTransient)
        {
            Log.CheckpointUnread(context.Log, PartitionId, failed);
            return null;
        }

        var reading = new OwnedPartitionReader(context, PartitionId, checkpoint, EnsureOwnedAsync, refused.Token);
        reader = reading;
        return await reading.RunAsync(stop).ConfigureAwait(false);
    }

    private ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) =>
        lease.MayHaveExpired ? new ValueTask(LookAsync(cancellationToken)) : ValueTask.CompletedTask;

    // Renews the ownership, or finds that another processor has it. A store that does not answer is asked again: until then the owner is unknown.
    private async Task LookAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            await owning.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                if (!lease.MayHaveExpired && !IsLost)
                {
                    // Another caller has checked in the meantime.
                    return;
                }

                if (givenUp || IsLost || !await ClaimAgainAsync(cancellationToken).ConfigureAwait(false))
                {
                    throw new OperationCanceledException($"partition {PartitionId} has another owner", refused.Token);
                }

                return;
            }
            catch (MessagingException passing) when (passing.IsTransient)
            {
                Log.OwnershipUnknown(context.Log, PartitionId, LookPause, passing);
            }
            finally
            {
                owning.Release();
            }

            await Task.Delay(LookPause, context.Options.TimeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<bool> IsStillOursAsync()
    {
        await owning.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            // Its own limit: if the stopping token cancelled a renewal, its version would be unknown and the ownership could not be given up.
            using var limit = new CancellationTokenSource(StoreLimit, context.Options.TimeProvider);
            return !refused.IsCancellationRequested && await ClaimAgainAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or MessagingException { IsTransient: true })
        {
            Log.NotResumed(context.Log, PartitionId, exception);
            return false;
        }
        finally
        {
            owning.Release();
        }
    }

    // Only while the caller holds the semaphore.
    private async Task<bool> ClaimAgainAsync(CancellationToken cancellationToken)
    {
        var began = lease.Now();
        var renewed = await context.Store.ClaimAsync(PartitionId, context.Options.Identifier, ownership.ETag, cancellationToken).ConfigureAwait(false);
        if (renewed is null)
        {
            Log.OwnershipLost(context.Log, PartitionId);
            await refused.CancelAsync().ConfigureAwait(false);
            return false;
        }

        ownership = renewed;
        lease.Renewed(began);
        context.DuplicateIdentifierDetector.Wrote(PartitionId, renewed.ETag);
        return true;
    }

    // Whether the store still had this ownership.
    private async Task<bool> GiveUpAsync()
    {
        await owning.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            givenUp = true;
            if (refused.IsCancellationRequested)
            {
                return false;
            }

            // Also when only the link was taken: if the store still has our version, no other processor gets the partition before it expires. If not, the
            // condition prevents harm. It has its own limit, because the stopping token is cancelled by now.
            using var limit = new CancellationTokenSource(StoreLimit, context.Options.TimeProvider);
            return await context.Store.ClaimAsync(PartitionId, string.Empty, ownership.ETag, limit.Token).ConfigureAwait(false) is not null;
        }
        catch (Exception exception) when (exception is MessagingException or OperationCanceledException)
        {
            // It expires later.
            Log.NotGivenUp(context.Log, PartitionId, exception);
            return false;
        }
        finally
        {
            owning.Release();
        }
    }
}
