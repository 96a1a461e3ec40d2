using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Pump.Lifetime;

/// <summary>One unbroken ownership of one partition, and what ends its writes.</summary>
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

    /// <summary>The sequence number that reading starts after. Null where there was no checkpoint, or one without it.</summary>
    public long? StartedAfter => partition.StartedFrom?.Position.SequenceNumber is >= 0 and var stored ? stored : null;

    public ProcessingStop Stop { get; }

    /// <summary>Cancelled when another processor has the partition.</summary>
    public CancellationToken Lost { get; }

    /// <summary>Cuts writes: the partition is lost, or the drain limit is over.</summary>
    public CancellationToken Writes { get; }

    /// <summary>Whether nothing may begin any more: processing stops, or the writes are cut.</summary>
    public bool IsEnding => Stop.Requested.IsCancellationRequested || Writes.IsCancellationRequested;

    /// <summary>Before a write begins: whether the partition is still ours is asked where it may not be. Cancelled when it is not.</summary>
    public ValueTask EnsureOwnedAsync() => partition.EnsureOwnedAsync(Writes);

    /// <summary>Cuts the writes in flight. Nothing of this ownership matters any more.</summary>
    public Task CutAsync() => writes.CancelOnSchedulerAsync();

    public void Dispose() => writes.Dispose();
}

/// <summary>Whoever may write an event now: the owner of its partition, or who has claimed its dead letter.</summary>
internal interface IWriteOwner
{
    /// <summary>Cuts writes: they are nobody's affair any more, or there is no time left.</summary>
    CancellationToken Writes { get; }

    /// <summary>Before a try begins: whether it is still ours to make. Cancelled when it is not.</summary>
    ValueTask EnsureOwnedAsync();
}
