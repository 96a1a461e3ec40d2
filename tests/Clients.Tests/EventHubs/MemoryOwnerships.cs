using System.Collections.Concurrent;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Tests.EventHubs;

/// <summary>Ownerships in memory, dated by a virtual clock. Every call is reported before it is answered.</summary>
internal sealed class MemoryOwnerships(TimeProvider clock) : ICheckpointStore
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, Ownership> ownerships = new(StringComparer.Ordinal);
    private int version;

    /// <summary>Called at each look at all ownerships.</summary>
    public Action? OnList { get; set; }

    /// <summary>Called at each claim, renewal or release that succeeded.</summary>
    public Action<Ownership>? OnClaimed { get; set; }

    /// <summary>What the next claims fail with.</summary>
    public ConcurrentQueue<Exception> ClaimFailures { get; } = new();

    /// <summary>The failure of giving up an ownership, or null.</summary>
    public Exception? GivingUpFailure { get; set; }

    public int Claims { get; private set; }

    public Ownership Of(string partitionId)
    {
        lock (gate)
        {
            return ownerships[partitionId];
        }
    }

    /// <summary>At any version, since another owner does it.</summary>
    public Ownership Put(string partitionId, string ownerId)
    {
        lock (gate)
        {
            return ownerships[partitionId] = new Ownership(partitionId, ownerId, clock.GetUtcNow(), $"v{++version}");
        }
    }

    public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
    {
        OnList?.Invoke();
        lock (gate)
        {
            return Task.FromResult<IReadOnlyList<Ownership>>([.. ownerships.Values]);
        }
    }

    public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        Ownership claimed;
        lock (gate)
        {
            Claims++;
            if (ownerId.Length == 0 && GivingUpFailure is { } kept)
            {
                return Task.FromException<Ownership?>(kept);
            }

            if (ClaimFailures.TryDequeue(out var failure))
            {
                return Task.FromException<Ownership?>(failure);
            }

            if (ownerships.GetValueOrDefault(partitionId)?.ETag != etag)
            {
                return Task.FromResult<Ownership?>(null);
            }

            claimed = Put(partitionId, ownerId);
        }

        OnClaimed?.Invoke(claimed);
        return Task.FromResult<Ownership?>(claimed);
    }

    public Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken) => Task.FromResult<Checkpoint?>(null);

    public Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    ) => Task.FromResult(new Checkpoint(partitionId, position, clientId, "v"));
}
