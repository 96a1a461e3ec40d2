using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>One cycle: where the consumer is killed or when it is asked to drain, and under which name it begins.</summary>
/// <param name="Order">The kill point, and at which time that it is reached. None for a consumer that drains.</param>
/// <param name="DrainAfter">After how many of its checkpoints it gets SIGTERM. Null lets it run.</param>
/// <param name="SameOwner">Whether the consumer has the identifier of the one before it.</param>
internal readonly record struct KillCycle(KillOrder Order, int? DrainAfter, bool SameOwner)
{
    /// <summary>How often a cycle that ended no consumer is repeated.</summary>
    public const int MostRepeats = 3;

    /// <summary>How often this one has been repeated.</summary>
    public int Repeats { get; init; }

    /// <summary>
    /// The same cycle again, at half the depth. In the end it is at the first time, which any run reaches that can. Null after the last repeat.
    /// </summary>
    public KillCycle? Again() =>
        Repeats == MostRepeats
            ? null
            : this with
            {
                Order = Order with { Nth = Shallower(Order.Nth) },
                DrainAfter = DrainAfter is { } after ? Shallower(after) : null,
                Repeats = Repeats + 1,
            };

    /// <summary>The moment of its consumer's life at which it is ended.</summary>
    public string Moment => Order.Point == KillPoint.None ? $"checkpoint {DrainAfter}" : Order.ToString();

    /// <summary>The report for a consumer that ended before that moment.</summary>
    public string Missed =>
        Order.Point == KillPoint.None
            ? $"consumer ended before it could be drained at {Moment}"
            : $"consumer ended before it could be killed at {Moment} ({Order.Point.Words()})";

    private int Shallower(int depth) => Repeats + 1 == MostRepeats ? Math.Min(1, depth) : (depth + 1) / 2;
}

/// <summary>Creates cycles of the assigned kinds. The depth of each is drawn only from the seed.</summary>
internal static class KillSequence
{
    /// <summary>The kinds of drains: by the same owner, by a new one.</summary>
    public const int DrainKinds = 2;

    // Deep enough to die in any phase of several batches, shallow enough that a backlog lasts for many cycles.
    private const int MostEvents = 40;
    private const int MostBatches = 6;

    /// <summary>Kills at these points, one after another, each of them by the same and by a new owner in turn.</summary>
    public static IEnumerable<KillCycle> ForKills(IEnumerable<KillPoint> points, int seed)
    {
        var random = new Random(seed);
        var next = new Dictionary<KillPoint, bool>();
        foreach (var point in points)
        {
            var same = next.TryGetValue(point, out var turn) ? turn : next.Count % 2 == 0;
            next[point] = !same;
            yield return new KillCycle(new KillOrder(point, random.Next(1, GetMaximum(point) + 1)), NeedsDrain(point) ? 1 : null, same);
        }
    }

    /// <summary>Cycles in which no consumer dies: each consumer drains, somewhere in its backlog.</summary>
    public static IEnumerable<KillCycle> ForDrains(IEnumerable<int> kinds, int seed)
    {
        var random = new Random(seed);
        foreach (var kind in kinds)
        {
            yield return new KillCycle(default, random.Next(1, MostBatches + 1), SameOwner: kind == 0);
        }
    }

    // A consumer reaches this point only when it is asked to end.
    private static bool NeedsDrain(KillPoint point) => point is KillPoint.BeforeLastCheckpoint or KillPoint.ReleaseOnTheWire or KillPoint.BeforeResultInPlace;

    private static int GetMaximum(KillPoint point) =>
        point switch
        {
            KillPoint.BeforeFirstWrite or KillPoint.CheckpointOnTheWire or KillPoint.AfterCheckpointStored or KillPoint.BeforeBatchEnd => MostBatches,
            KillPoint.BeforeLastCheckpoint or KillPoint.ReleaseOnTheWire or KillPoint.BeforeResultInPlace or KillPoint.DeadLetterHalfSent => 1,
            _ => MostEvents,
        };
}
