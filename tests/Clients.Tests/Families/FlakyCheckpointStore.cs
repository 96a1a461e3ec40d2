using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>Fails every third call on average with a transient error, before it reaches the store.</summary>
internal sealed class FlakyCheckpointStore(ICheckpointStore inner) : ICheckpointStore
{
    private readonly Random random = new(1);
    private int failures;

    public int Failures => failures;

    public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
    {
        MayFail();
        return inner.ListOwnershipsAsync(cancellationToken);
    }

    public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        MayFail();
        return inner.ClaimAsync(partitionId, ownerId, etag, cancellationToken);
    }

    public Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken)
    {
        MayFail();
        return inner.ReadCheckpointAsync(partitionId, cancellationToken);
    }

    public Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    )
    {
        MayFail();
        return inner.WriteCheckpointAsync(partitionId, position, clientId, previous, fenced, cancellationToken);
    }

    private void MayFail()
    {
        lock (random)
        {
            if (random.Next(3) == 0)
            {
                failures++;
                throw new MessagingException(FailureKind.Throttled, "busy");
            }
        }
    }
}
