using System.Collections.Concurrent;
using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// The claims of this processor: which ownerships under its name are its own, and how long they are certainly valid. The package checks neither. May be used
/// from several threads.
/// </summary>
/// <param name="options">The processor's options.</param>
/// <param name="store">Reads the same ownerships.</param>
/// <param name="notice">Called once with a line about another processor under our name. Or null.</param>
internal sealed class ClaimedPartitions(EventHubProcessorOptions options, ICheckpointStore store, Action<string>? notice)
{
    private static readonly TimeSpan LookPause = TimeSpan.FromMilliseconds(100);

    private readonly DuplicateIdentifierDetector namesakes = new(options.Identifier, notice);

    // By partition, since the newest claim or renewal.
    private readonly ConcurrentDictionary<string, (OwnershipLease Lease, string Version)> claimed = new(StringComparer.Ordinal);

    /// <summary>Call before a claim is sent, and pass the result to <see cref="Note"/> when it has succeeded.</summary>
    public OwnershipLease BeginClaim() => new(options.TimeProvider, options.OwnershipExpiry);

    /// <summary>Whether a claim has the version that this processor was granted last. Then no other processor had the partition in between.</summary>
    public bool IsNewest(EventProcessorPartitionOwnership desired) =>
        !claimed.TryGetValue(desired.PartitionId, out var known) || (desired.Version is { } version && Unquoted(version) == known.Version);

    /// <summary>Records what the store has granted.</summary>
    public void Note(IEnumerable<EventProcessorPartitionOwnership> granted, OwnershipLease lease)
    {
        foreach (var one in granted)
        {
            if (one.OwnerIdentifier == options.Identifier)
            {
                namesakes.Wrote(one.PartitionId, Unquoted(one.Version));
                claimed[one.PartitionId] = (lease, Unquoted(one.Version));
            }
        }
    }

    /// <summary>Shows ownerships of another processor under our name with another owner. Otherwise the package takes them for its own.</summary>
    public void SeparateEqualNames(IReadOnlyList<EventProcessorPartitionOwnership> listed)
    {
        namesakes.Look(listed.Select(static one => new Ownership(one.PartitionId, one.OwnerIdentifier, default, Unquoted(one.Version))));
        foreach (var one in listed)
        {
            if (one.OwnerIdentifier == options.Identifier && !namesakes.IsOurs(one.PartitionId, Unquoted(one.Version)))
            {
                one.OwnerIdentifier += " (another)";
            }
        }
    }

    /// <summary>
    /// Whether the store names another owner. The package may start a partition again before it has read that. The store is asked only while the partition is
    /// not certainly ours. False when it does not answer.
    /// </summary>
    public async Task<bool> HasOtherOwnerAsync(string partitionId, CancellationToken cancellationToken) =>
        claimed.TryGetValue(partitionId, out var known)
        && known.Lease.MayHaveExpired
        && await FindAsync(partitionId, cancellationToken).ConfigureAwait(false) is { } stored
        && stored.OwnerId != options.Identifier;

    /// <summary>Completes immediately while the partition is certainly ours. Otherwise it asks the store. If the partition is not ours, it is lost.</summary>
    public ValueTask EnsureOwnedAsync(OfficialPartition partition, CancellationToken cancellationToken) =>
        partition.Lost.IsCancellationRequested ? ValueTask.FromCanceled(partition.Lost)
        : claimed.TryGetValue(partition.PartitionId, out var known) && known.Lease.MayHaveExpired ? new ValueTask(LookAsync(partition, cancellationToken))
        : ValueTask.CompletedTask;

    // Only the package renews. A version that differs from the last granted one may be a renewal under way, so its end is awaited.
    private async Task LookAsync(OfficialPartition partition, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, partition.Lost);
        while (true)
        {
            var stored = await FindAsync(partition.PartitionId, either.Token).ConfigureAwait(false);
            (_, var version) = claimed[partition.PartitionId];
            if (stored is not null && stored.OwnerId != options.Identifier)
            {
                await partition.LoseAsync().ConfigureAwait(false);
                throw new OperationCanceledException($"partition {partition.PartitionId} has another owner", partition.Lost);
            }

            if (stored?.ETag == version)
            {
                return;
            }

            await Task.Delay(LookPause, options.TimeProvider, either.Token).ConfigureAwait(false);
        }
    }

    // Null when the store does not answer.
    private async Task<Ownership?> FindAsync(string partitionId, CancellationToken cancellationToken)
    {
        try
        {
            var listed = await store.ListOwnershipsAsync(cancellationToken).ConfigureAwait(false);
            return listed.FirstOrDefault(one => one.PartitionId == partitionId);
        }
        catch (Clients.MessagingException passing) when (passing.IsTransient)
        {
            return null;
        }
    }

    private static string Unquoted(string version) => version.Trim('"');
}
