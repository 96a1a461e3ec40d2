namespace EventHubThroughput.Clients.EventHubs;

/// <summary>What a handler may know of its ownership of a partition.</summary>
internal sealed class OwnedPartition(
    PartitionRunContext context,
    string partitionId,
    Checkpoint? startedFrom,
    Func<CancellationToken, ValueTask> ensureOwned,
    CancellationTokenSource lost
) : IOwnedPartition
{
    // The caller stores one position at a time, so this needs no lock.
    private Checkpoint? stored = startedFrom;

    public string PartitionId => partitionId;

    public Checkpoint? StartedFrom { get; } = startedFrom;

    public CancellationToken Lost { get; } = lost.Token;

    /// <summary>Whether a checkpoint was refused because somebody else had stored one since this reader read it.</summary>
    public bool IsOvertaken { get; private set; }

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ensureOwned(cancellationToken);

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        await LookAsync(cancellationToken).ConfigureAwait(false);
        if (Lost.IsCancellationRequested)
        {
            throw new MessagingException(FailureKind.OwnershipLost, $"partition {partitionId} has another owner");
        }

        try
        {
            stored = await context
                .Store.WriteCheckpointAsync(partitionId, position, context.Options.Identifier, stored, context.Options.Fencing, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            IsOvertaken = true;
            Log.CheckpointRefused(context.Log, partitionId, taken);
            await lost.CancelAsync().ConfigureAwait(false);
            throw;
        }
    }

    // A checkpoint without a condition would set the next owner's back.
    private async ValueTask LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            await ensureOwned(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (Lost.IsCancellationRequested)
        {
            // The caller is told so in its own way.
        }
    }
}
