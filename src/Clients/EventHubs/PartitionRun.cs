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
    Func<string, Checkpoint?, CancellationToken, Task<PartitionReceiver>> OpenReceiver
);

/// <summary>What follows a claim: keeps the ownership, reads the partition from its checkpoint on, and gives the ownership up.</summary>
internal sealed class PartitionRun(PartitionRunContext context, Ownership claimed)
{
    private static readonly TimeSpan StoreLimit = TimeSpan.FromSeconds(5);

    // Serialises renewing and giving up, which both need the newest version.
    private readonly SemaphoreSlim owning = new(1, 1);
    private readonly CancellationTokenSource refused = new();
    private Ownership ownership = claimed;
    private long renewedAt = context.Options.TimeProvider.GetTimestamp();
    private bool givenUp;
    private volatile PartitionIncarnation? incarnation;

    public string PartitionId { get; } = claimed.PartitionId;

    public bool IsLost => refused.IsCancellationRequested || incarnation is { IsLost: true };

    /// <summary>Whether the link was taken while the store still had this ownership; known when the run has ended.</summary>
    public bool TakenWithoutClaim { get; private set; }

    /// <summary>Renews the ownership if half an interval has passed since the last time; a refusal means that it is lost.</summary>
    public async Task RenewAsync(CancellationToken cancellationToken)
    {
        await owning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!givenUp && !IsLost && context.Options.TimeProvider.GetElapsedTime(renewedAt) >= context.Options.BalancingInterval / 2)
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
        IncarnationEnd? end = null;
        try
        {
            end = await ReadAsync(stop).ConfigureAwait(false);
            if (end == IncarnationEnd.Overtaken && await IsStillOursAsync().ConfigureAwait(false))
            {
                // Giving it up would leave it to nobody for an interval. Once only: who is overtaken again had better stand back.
                end = await ReadAsync(stop).ConfigureAwait(false);
            }
        }
        finally
        {
            bool given = await GiveUpAsync().ConfigureAwait(false);
            TakenWithoutClaim = given && end == IncarnationEnd.LinkTaken;
        }
    }

    // Null when stopped first, or when the store does not answer: given up then, and claimed again by whoever comes first.
    private async Task<IncarnationEnd?> ReadAsync(CancellationToken stop)
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
            return null;
        }

        PartitionIncarnation reading = new(context, PartitionId, checkpoint, refused.Token);
        incarnation = reading;
        return await reading.RunAsync(stop).ConfigureAwait(false);
    }

    private async Task<bool> IsStillOursAsync()
    {
        await owning.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            // Its own limit: a renewal that the stopping token cut off would leave us without its version, unable to give up.
            using CancellationTokenSource limit = new(StoreLimit, context.Options.TimeProvider);
            return !refused.IsCancellationRequested && await ClaimAgainAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or MessagingException { IsTransient: true })
        {
            return false;
        }
        finally
        {
            owning.Release();
        }
    }

    // Only while no other one owns the semaphore.
    private async Task<bool> ClaimAgainAsync(CancellationToken cancellationToken)
    {
        long started = context.Options.TimeProvider.GetTimestamp();
        Ownership? renewed = await context.Store.ClaimAsync(PartitionId, context.Options.Identifier, ownership.ETag, cancellationToken).ConfigureAwait(false);
        if (renewed is null)
        {
            await refused.CancelAsync().ConfigureAwait(false);
            return false;
        }

        ownership = renewed;
        renewedAt = started;
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

            // Even when only the link was taken: if the store still has our version, nobody else would get the partition before
            // it expires; if not, the condition keeps this from doing harm.
            // Its own limit, since the stopping token is cancelled by now.
            using CancellationTokenSource limit = new(StoreLimit, context.Options.TimeProvider);
            return await context.Store.ClaimAsync(PartitionId, string.Empty, ownership.ETag, limit.Token).ConfigureAwait(false) is not null;
        }
        catch (Exception exception) when (exception is MessagingException or OperationCanceledException)
        {
            // It expires by itself.
            return false;
        }
        finally
        {
            owning.Release();
        }
    }
}
