using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// How many events a backlog needs, so that every consumer on it reaches the point at which it is to end. And how many cycles share one backlog.
/// </summary>
/// <param name="options">What the consumers are started with.</param>
internal sealed class BacklogLoad(RunOptions options)
{
    /// <summary>Most cycles of a backlog: one emulator and one verdict for all of them.</summary>
    public const int MostCycles = 25;

    // The events until a kill point that counts events, with those in flight. The rest is enough for the last consumer.
    private const int LeastEvents = 200;

    // The last consumer completes what is left in seconds.
    private const int MostEvents = 10_000;

    /// <summary>The events that these cycles and the last consumer need.</summary>
    public int GetEvents(IEnumerable<KillCycle> cycles) => LeastEvents + cycles.Sum(GetEvents);

    /// <summary>The first of the cycles that are left, up to the number that one backlog takes. At least one.</summary>
    public IReadOnlyList<KillCycle> Share(IEnumerable<KillCycle> left)
    {
        List<KillCycle> share = [];
        long events = LeastEvents;
        foreach (var cycle in left.Take(MostCycles))
        {
            events += GetEvents(cycle);
            if (share.Count > 0 && events > MostEvents)
            {
                break;
            }

            share.Add(cycle);
        }

        return share;
    }

    // Before the nth batch or checkpoint each partition may have begun another one.
    private int GetEvents(KillCycle cycle) => LeastEvents + (((cycle.DrainAfter ?? cycle.Order.Nth) + options.Load!.Partitions) * GetUnit(cycle));

    private int GetUnit(KillCycle cycle) =>
        cycle switch
        {
            { DrainAfter: not null } => EventsOfCheckpoint,
            { Order.Point: KillPoint.BeforeFirstWrite or KillPoint.BeforeBatchEnd } => options.Processing.BatchSize,
            { Order.Point: KillPoint.CheckpointOnTheWire or KillPoint.AfterCheckpointStored } => EventsOfCheckpoint,
            _ => 0,
        };

    // A checkpoint that is due by time, or by a count that the time comes before, is not waited for. The next consumer tries less deep.
    private int EventsOfCheckpoint =>
        options.StoresAtBatchEnds
            ? options.Processing.BatchSize
            : Math.Min(options.CheckpointsInForce.Events ?? CheckpointOptions.UsualEvents, CheckpointOptions.UsualEvents);
}
