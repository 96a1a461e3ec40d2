namespace EventHubThroughput.Clients.EventHubs;

/// <summary>What a handler may know of its partition's incarnation.</summary>
internal sealed class OwnedPartition(PartitionRunContext context, string partitionId, Checkpoint? startedFrom, CancellationTokenSource lost) : IOwnedPartition
{
    // The caller stores one position at a time, so this needs no lock.
    private Checkpoint? stored = startedFrom;

    public string PartitionId => partitionId;

    public Checkpoint? StartedFrom { get; } = startedFrom;

    public CancellationToken Lost { get; } = lost.Token;

    /// <summary>Whether a checkpoint was refused because somebody else had stored one since this incarnation read it.</summary>
    public bool IsOvertaken { get; private set; }

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
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
            await lost.CancelAsync().ConfigureAwait(false);
            throw;
        }
    }
}
