namespace EventHubThroughput.Lab.Supervision;

/// <summary>One change of a consumer group: which member ends and how, when, and whether a new one joins before or after that.</summary>
/// <param name="Member">The place of the consumer that leaves, the oldest first.</param>
/// <param name="Dies">By SIGKILL. Otherwise by SIGTERM, on which it drains and releases its partitions.</param>
/// <param name="After">Checkpoints of the group to wait for before that.</param>
/// <param name="JoinFirst">Whether its successor joins before it leaves, and takes partitions from running consumers.</param>
internal readonly record struct MembershipChange(int Member, bool Dies, int After, bool JoinFirst);

/// <summary>Creates the changes of a consumer group, of the kinds that the schedule has assigned. All other choices are drawn only from the seed.</summary>
internal static class HandoverScript
{
    /// <summary>The kinds of changes: a member leaves or dies, and its successor comes after or before that.</summary>
    public const int Kinds = 4;

    // Deep enough to fall into any phase of batches and balancing cycles.
    private const int MostCheckpoints = 40;

    public static IEnumerable<MembershipChange> For(int owners, IEnumerable<int> kinds, int seed)
    {
        var random = new Random(seed);
        foreach (var kind in kinds)
        {
            var joinFirst = kind % 2 == 1;
            yield return new MembershipChange(
                random.Next(joinFirst ? owners + 1 : owners),
                Dies: kind >= Kinds / 2,
                random.Next(1, MostCheckpoints + 1),
                joinFirst
            );
        }
    }
}
