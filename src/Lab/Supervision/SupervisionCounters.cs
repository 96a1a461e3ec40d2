using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>Counts the outcomes of the cycles of one strategy.</summary>
internal sealed class SupervisionCounters(string strategy)
{
    private readonly Dictionary<KillPoint, int> struck = [];
    private readonly List<TimeSpan> sameOwner = [];
    private readonly List<TimeSpan> newOwner = [];

    public string Strategy { get; } = strategy;

    /// <summary>Cycles that have ended: a consumer was ended in them, or none in all of their repeats.</summary>
    public int Cycles { get; private set; }

    /// <summary>Times that a cycle was repeated because no consumer had been ended in it.</summary>
    public int Repeats { get; private set; }

    /// <summary>Cycles whose consumer ended in the planned way.</summary>
    public int AsAsked { get; private set; }

    public long Acknowledged { get; private set; }

    public long Lost { get; private set; }

    public long CheckpointAhead { get; private set; }

    public long Duplicates { get; private set; }

    /// <summary>The most events of one partition that were repeated after one crash, by the journal.</summary>
    public long LargestReplay { get; private set; }

    /// <summary>The most events that these ends may have repeated.</summary>
    public long ReplayBound { get; private set; }

    /// <summary>The time that the cycles took, last runs and verdicts included.</summary>
    public TimeSpan Elapsed { get; set; }

    /// <summary>The changes of owner of partitions that consumers shared.</summary>
    public List<Handover> Handovers { get; } = [];

    /// <summary>The broken promises, one line each.</summary>
    public List<string> Failures { get; } = [];

    public int StruckAt(KillPoint point) => struck.GetValueOrDefault(point);

    public IReadOnlyList<TimeSpan> Recoveries(bool ofSameOwner) => ofSameOwner ? sameOwner : newOwner;

    /// <param name="point">The kill point of the consumer. None if it was to drain.</param>
    /// <param name="end">How it did end.</param>
    public void Count(KillPoint point, ConsumerEnd end)
    {
        if (Count(end.Code, dies: point != KillPoint.None))
        {
            struck[point] = StruckAt(point) + 1;
        }
    }

    /// <summary>Counts one cycle. Returns whether its consumer ended in the planned way.</summary>
    public bool Count(int code, bool dies)
    {
        var asAsked = code == (dies ? ConsumerEnd.Killed : ExitCode.Done);
        Cycles++;
        AsAsked += asAsked ? 1 : 0;
        return asAsked;
    }

    /// <summary>Counts a cycle that ended no consumer and begins again.</summary>
    public void Repeat() => Repeats++;

    /// <summary>Counts a cycle that ended no consumer in any of its repeats. It proves nothing.</summary>
    public void GiveUp(string why)
    {
        Cycles++;
        Failures.Add(why);
    }

    /// <summary>Records how long a restarted consumer waited for its first event.</summary>
    public void Recovered(ConsumerEnd end, bool asSameOwner)
    {
        if (end.Recovery is { } recovery)
        {
            (asSameOwner ? sameOwner : newOwner).Add(recovery);
        }
    }

    /// <summary>Adds the verdict on a backlog that is complete.</summary>
    public void Add(Verdict verdict, long replayBound)
    {
        Acknowledged += verdict.Acknowledged;
        Lost += verdict.Lost;
        CheckpointAhead += verdict.CheckpointAhead;
        Duplicates += verdict.DuplicateServiceBus + verdict.DuplicateBlob;
        LargestReplay = Math.Max(LargestReplay, verdict.ReplayExact);
        ReplayBound += replayBound;
    }
}
