namespace EventHubThroughput.Consumer.Supervision;

/// <summary>One cycle: where the consumer is killed or when it is told to drain, and under whose name it begins.</summary>
/// <param name="Order">Where to die, and at which time that the point is reached; none, for one that drains.</param>
/// <param name="DrainAfter">After how many of its checkpoints it gets SIGTERM; null lets it run.</param>
/// <param name="SameOwner">Whether the consumer has the identifier of the one before it.</param>
internal readonly record struct KillCycle(KillOrder Order, int? DrainAfter, bool SameOwner);

/// <summary>
/// Deals the cycles: every point equally often, by the same and by a new owner in turn, at a depth drawn from the seed alone.
/// </summary>
internal static class KillSequence
{
    // Deep enough to die in any phase of several batches, shallow enough that a backlog lasts for many cycles.
    private const int MostEvents = 40;
    private const int MostBatches = 6;

    public static IEnumerable<KillCycle> Of(IReadOnlyList<KillPoint> points, int cycles, int seed)
    {
        var random = new Random(seed);
        for (var cycle = 0; cycle < cycles; cycle++)
        {
            var (pass, place) = Math.DivRem(cycle, points.Count);
            var point = points[place];
            var depth = random.Next(1, MostOf(point) + 1);
            yield return new KillCycle(new KillOrder(point, depth), NeedsDrain(point) ? 1 : null, SameOwner: (pass + place) % 2 == 0);
        }
    }

    /// <summary>Deals cycles in which nobody dies: each consumer drains, somewhere in its backlog.</summary>
    public static IEnumerable<KillCycle> OfDrains(int cycles, int seed)
    {
        var random = new Random(seed);
        for (var cycle = 0; cycle < cycles; cycle++)
        {
            yield return new KillCycle(default, random.Next(1, MostBatches + 1), SameOwner: cycle % 2 == 0);
        }
    }

    // A consumer comes there only when it is asked to end.
    private static bool NeedsDrain(KillPoint point) => point is KillPoint.K11 or KillPoint.K12 or KillPoint.K13;

    private static int MostOf(KillPoint point) =>
        point switch
        {
            KillPoint.K1 or KillPoint.K8 or KillPoint.K9 or KillPoint.K10 => MostBatches,
            KillPoint.K11 or KillPoint.K12 or KillPoint.K13 or KillPoint.K14 => 1,
            _ => MostEvents,
        };
}
