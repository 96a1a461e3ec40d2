using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Pump.Lifetime;

/// <summary>One uninterrupted ownership of one partition, and the tokens that end its writes.</summary>
internal sealed class PartitionOwnership : IWriteOwner, IDisposable
{
    private readonly IOwnedPartition partition;
    private readonly CancellationTokenSource writes;

    public PartitionOwnership(IOwnedPartition partition, ProcessingStop stop)
    {
        this.partition = partition;
        Stop = stop;
        Lost = partition.Lost;
        writes = CancellationTokenSource.CreateLinkedTokenSource(Lost, stop.Cut);
        Writes = writes.Token;
    }

    public string PartitionId => partition.PartitionId;

    /// <summary>The sequence number after which reading starts. Null without a checkpoint, or for one without a sequence number.</summary>
    public long? StartedAfter => partition.StartedFrom?.Position.SequenceNumber is >= 0 and var stored ? stored : null;

    public ProcessingStop Stop { get; }

    /// <summary>Cancelled when another processor has the partition.</summary>
    public CancellationToken Lost { get; }

    /// <summary>Cancels writes: the partition is lost, or the drain limit has expired.</summary>
    public CancellationToken Writes { get; }

    /// <summary>Whether nothing may begin any more: processing stops, or the writes are cancelled.</summary>
    public bool IsEnding => Stop.Requested.IsCancellationRequested || Writes.IsCancellationRequested;

    /// <inheritdoc/>
    public ValueTask EnsureOwnedAsync()
    {
        var owned = partition.EnsureOwnedAsync(Writes);
        return owned.IsCompletedSuccessfully ? owned : FollowAsync(owned);
    }

    /// <summary>Cancels the writes in flight. No result of this ownership matters any more.</summary>
    public Task CutAsync() => writes.CancelOnSchedulerAsync();

    public void Dispose() => writes.Dispose();

    // The client may report a loss before the callbacks of its token have run. Without this the cancelled write would look like a bug of the strategy.
    private async ValueTask FollowAsync(ValueTask owned)
    {
        try
        {
            await owned;
        }
        catch (OperationCanceledException) when (!Writes.IsCancellationRequested)
        {
            await CutAsync();
            throw;
        }
    }
}

/// <summary>The owner of a write: the owner of the event's partition, or a claim on its dead letter.</summary>
internal interface IWriteOwner
{
    /// <summary>Cancels writes: the owner has lost its claim, or there is no time left.</summary>
    CancellationToken Writes { get; }

    /// <summary>Call before a try begins. Throws a cancellation when the owner has lost its claim. The writes are then cancelled too.</summary>
    ValueTask EnsureOwnedAsync();
}
