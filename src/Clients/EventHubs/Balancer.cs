namespace EventHubThroughput.Clients.EventHubs;

/// <summary>What a balancing cycle is to do.</summary>
/// <param name="Adopt">Partitions that are active under our own identifier, though nobody here reads them: claimed again.</param>
/// <param name="Claim">The one partition to claim in this cycle; null for none.</param>
/// <param name="IsSteal">Whether <paramref name="Claim"/> is taken from an active owner.</param>
/// <param name="IsBalanced">Whether our share is reached and nothing was tried.</param>
internal sealed record BalanceDecision(IReadOnlyList<BalanceClaim> Adopt, BalanceClaim? Claim, bool IsSteal, bool IsBalanced);

/// <summary>A partition to claim, and the version that its ownership must still have; null when it has none.</summary>
internal readonly record struct BalanceClaim(string PartitionId, string? ETag);

/// <summary>
/// The rule by which the processors of a consumer group divide its partitions, the same as that of the official .NET processor,
/// so that both can share a group: at most one claim per cycle; a steal only from an owner with more than its share.
/// Pure: no clock, no store.
/// </summary>
internal sealed class Balancer(string self, TimeSpan expiry, Random random)
{
    /// <summary>Decides one cycle.</summary>
    /// <param name="partitions">All partitions of the event hub.</param>
    /// <param name="listed">All ownerships of the consumer group.</param>
    /// <param name="tracked">The partitions that this processor reads, just renewed.</param>
    /// <param name="now">The time against which ownerships expire.</param>
    public BalanceDecision Decide(IReadOnlyList<string> partitions, IReadOnlyList<Ownership> listed, IReadOnlySet<string> tracked, DateTimeOffset now)
    {
        Dictionary<string, Ownership> byPartition = listed.ToDictionary(static one => one.PartitionId, StringComparer.Ordinal);
        Dictionary<string, List<string>> owners = new(StringComparer.Ordinal) { [self] = [.. tracked] };
        List<BalanceClaim> adopt = [];
        List<string> unclaimed = [];
        foreach (string partition in partitions)
        {
            if (tracked.Contains(partition))
            {
                continue;
            }

            if (!byPartition.TryGetValue(partition, out Ownership? ownership) || !IsActive(ownership, now))
            {
                unclaimed.Add(partition);
                continue;
            }

            if (string.Equals(ownership.OwnerId, self, StringComparison.Ordinal))
            {
                adopt.Add(new BalanceClaim(partition, ownership.ETag));
            }

            if (!owners.TryGetValue(ownership.OwnerId, out List<string>? owned))
            {
                owners[ownership.OwnerId] = owned = [];
            }

            owned.Add(partition);
        }

        int own = owners[self].Count;
        int minimum = partitions.Count / owners.Count;
        bool wantsOne = own < minimum || (own == minimum && !owners.Values.Any(owned => owned.Count < minimum));
        if (!wantsOne)
        {
            return new BalanceDecision(adopt, null, IsSteal: false, IsBalanced: own >= minimum && adopt.Count == 0);
        }

        string? wanted = Pick(unclaimed);
        bool isSteal = wanted is null;
        wanted ??= PickFromRich(owners, minimum, own);
        BalanceClaim? claim = wanted is null ? null : new BalanceClaim(wanted, byPartition.TryGetValue(wanted, out Ownership? present) ? present.ETag : null);
        return new BalanceDecision(adopt, claim, isSteal && claim is not null, own >= minimum && claim is null && adopt.Count == 0);
    }

    private bool IsActive(Ownership ownership, DateTimeOffset now) => ownership.OwnerId.Length > 0 && now - ownership.LastModified < expiry;

    // Owners with one more than the minimum are robbed only by those below it, or the surplus would wander for ever.
    private string? PickFromRich(Dictionary<string, List<string>> owners, int minimum, int own)
    {
        string? taken = Pick(PartitionsOf(owners, minimum, static (count, share) => count > share + 1));
        return taken is null && own < minimum ? Pick(PartitionsOf(owners, minimum, static (count, share) => count == share + 1)) : taken;
    }

    private List<string> PartitionsOf(Dictionary<string, List<string>> owners, int minimum, Func<int, int, bool> chosen) =>
        [
            .. owners
                .Where(pair => !string.Equals(pair.Key, self, StringComparison.Ordinal) && chosen(pair.Value.Count, minimum))
                .SelectMany(static pair => pair.Value),
        ];

    private string? Pick(List<string> candidates) => candidates.Count == 0 ? null : candidates[random.Next(candidates.Count)];
}
