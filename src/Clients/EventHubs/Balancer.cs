namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The decision of a balancing cycle.</summary>
/// <param name="Adopt">Partitions that are active under our own identifier, although this processor does not read them. They are claimed again.</param>
/// <param name="Claim">The one partition to claim in this cycle. Null for none.</param>
/// <param name="IsSteal">Whether <paramref name="Claim"/> is taken from an active owner.</param>
/// <param name="IsBalanced">Whether our share is reached and nothing was tried.</param>
/// <param name="Unclaimed">Every partition without an active owner.</param>
internal sealed record BalanceDecision(IReadOnlyList<BalanceClaim> Adopt, BalanceClaim? Claim, bool IsSteal, bool IsBalanced, IReadOnlyList<string> Unclaimed);

/// <summary>A partition to claim, and the version that its ownership must still have. Null when it has none.</summary>
internal readonly record struct BalanceClaim(string PartitionId, string? ETag);

/// <summary>
/// The rule by which the processors of a consumer group divide its partitions. It equals the rule of the official .NET processor, so both can share a group:
/// at most one claim per cycle, and a steal only from an owner with more than its share. There is one addition: a partition that has been unclaimed for an
/// interval is claimed by any processor that sees it. The rule itself leaves it to an owner with less than its share, even when that owner is stopping or
/// dead. Pure: no clock, no store.
/// </summary>
internal sealed class Balancer(string self, TimeSpan expiry, Random random)
{
    /// <summary>Decides one cycle.</summary>
    /// <param name="partitions">All partitions of the event hub.</param>
    /// <param name="listed">All ownerships of the consumer group.</param>
    /// <param name="tracked">The partitions that this processor reads, renewed just before.</param>
    /// <param name="overdue">The partitions that have been unclaimed for an interval.</param>
    /// <param name="now">The time against which ownerships expire.</param>
    public BalanceDecision Decide(
        IReadOnlyList<string> partitions,
        IReadOnlyList<Ownership> listed,
        IReadOnlySet<string> tracked,
        IReadOnlySet<string> overdue,
        DateTimeOffset now
    )
    {
        var byPartition = listed.ToDictionary(static one => one.PartitionId, StringComparer.Ordinal);
        var owners = new Dictionary<string, List<string>>(StringComparer.Ordinal) { [self] = [.. tracked] };
        List<BalanceClaim> adopt = [];
        List<string> unclaimed = [];
        foreach (var partition in partitions)
        {
            if (tracked.Contains(partition))
            {
                continue;
            }

            if (!byPartition.TryGetValue(partition, out var ownership) || !IsActive(ownership, now))
            {
                unclaimed.Add(partition);
                continue;
            }

            if (string.Equals(ownership.OwnerId, self, StringComparison.Ordinal))
            {
                adopt.Add(new BalanceClaim(partition, ownership.ETag));
            }

            if (!owners.TryGetValue(ownership.OwnerId, out var owned))
            {
                owners[ownership.OwnerId] = owned = [];
            }

            owned.Add(partition);
        }

        var own = owners[self].Count;
        var minimum = partitions.Count / owners.Count;
        var wantsOne = own < minimum || (own == minimum && !owners.Values.Any(owned => owned.Count < minimum));
        var wanted = Pick(wantsOne ? unclaimed : [.. unclaimed.Where(overdue.Contains)]);
        var isSteal = wanted is null;
        wanted ??= wantsOne ? PickFromRich(owners, minimum, own) : null;
        BalanceClaim? claim = wanted is null ? null : new BalanceClaim(wanted, byPartition.TryGetValue(wanted, out var present) ? present.ETag : null);
        return new BalanceDecision(adopt, claim, isSteal && claim is not null, own >= minimum && claim is null && adopt.Count == 0, unclaimed);
    }

    private bool IsActive(Ownership ownership, DateTimeOffset now) => ownership.OwnerId.Length > 0 && now - ownership.LastModified < expiry;

    // Only owners below the minimum steal from owners with one more than the minimum. Otherwise the surplus would move for ever.
    private string? PickFromRich(Dictionary<string, List<string>> owners, int minimum, int own)
    {
        var taken = Pick(GetPartitions(owners, minimum, static (count, share) => count > share + 1));
        return taken is null && own < minimum ? Pick(GetPartitions(owners, minimum, static (count, share) => count == share + 1)) : taken;
    }

    private List<string> GetPartitions(Dictionary<string, List<string>> owners, int minimum, Func<int, int, bool> chosen) =>
        [
            .. owners
                .Where(pair => !string.Equals(pair.Key, self, StringComparison.Ordinal) && chosen(pair.Value.Count, minimum))
                .SelectMany(static pair => pair.Value),
        ];

    private string? Pick(List<string> candidates) => candidates.Count == 0 ? null : candidates[random.Next(candidates.Count)];
}
