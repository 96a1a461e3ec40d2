using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Passes every call on, remembers the last checkpoint of a call, and answers one read with a checkpoint of the test's choice.</summary>
internal sealed class RecordingCheckpointStore(ICheckpointStore inner) : ICheckpointStore
{
    private (Checkpoint? Checkpoint, bool IsSet) next;

    /// <summary>What the last read or write of a checkpoint returned.</summary>
    public Checkpoint? Last { get; private set; }

    /// <summary>Answers the next read of a checkpoint, without asking the inner store.</summary>
    public void AnswerNextRead(Checkpoint? checkpoint) => next = (checkpoint, true);

    public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken) => inner.ListOwnershipsAsync(cancellationToken);

    public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken) =>
        inner.ClaimAsync(partitionId, ownerId, etag, cancellationToken);

    public async Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken)
    {
        Last = next.IsSet ? next.Checkpoint : await inner.ReadCheckpointAsync(partitionId, cancellationToken);
        next = default;
        return Last;
    }

    public async Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    )
    {
        var written = await inner.WriteCheckpointAsync(partitionId, position, clientId, previous, fenced, cancellationToken);
        Last = written;
        return written;
    }
}
