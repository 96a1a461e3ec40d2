using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>How an owner's time on a partition ends.</summary>
internal enum Ending
{
    /// <summary>It finishes what it has begun, stores a last checkpoint and gives the partition up.</summary>
    Drained,

    /// <summary>No last word.</summary>
    Killed,

    /// <summary>The next owner claims the partition while this one is at work. One more checkpoint of it is stored after that.</summary>
    Robbed,

    /// <summary>The emulator is killed with it, and numbers its links from the beginning again.</summary>
    Restarted,
}

/// <summary>One owner of every partition, until that many of a hundred events are complete there.</summary>
internal sealed record Tenure(string Owner, int Percent, Ending Ending);

/// <summary>The events of a played run beside the plain work.</summary>
internal sealed record PlayedOptions
{
    public int Seed { get; init; } = 1;

    public int Events { get; init; } = 24;

    public int Partitions { get; init; } = 1;

    /// <summary>The number of partition keys, or 0.</summary>
    public int Keys { get; init; }

    public OrderPromise Promise { get; init; }

    /// <summary>Events that one partition has under way at most.</summary>
    public int Degree { get; init; } = 4;

    /// <summary>Events that are pushed ahead of the work at most.</summary>
    public int Prefetch { get; init; } = 300;

    public int CheckpointEvery { get; init; } = 5;

    /// <summary>Owners one after the other. The last one drains the partition at its end.</summary>
    public IReadOnlyList<Tenure> Tenures { get; init; } = [new("owner-0", 100, Ending.Drained)];

    /// <summary>One event in this number is poison. 0 for none.</summary>
    public int PoisonEvery { get; init; }

    /// <summary>One message in this number meets a fault of the laboratory. 0 for none.</summary>
    public int FaultEvery { get; init; }

    /// <summary>This number of events of each partition expires before it is received.</summary>
    public int Expired { get; init; }

    /// <summary>Events of an earlier run, which is complete when this one begins.</summary>
    public int EarlierRun { get; init; }

    /// <summary>Another consumer group and a second hub beside, whose messages go to the same queue.</summary>
    public bool HasNeighbours { get; init; }

    /// <summary>Every fifth row of the ledger is of unknown outcome, every seventh was refused and is not appended.</summary>
    public bool HasDoubtfulSends { get; init; }

    public long? ReplayLimit { get; init; }

    /// <summary>Whether attaches are in the journal, as since version 6.</summary>
    public bool RecordsAttaches { get; init; } = true;
}

/// <summary>
/// A correct consumer on a correct emulator, played with a seed, with every kind of record that the journal has.
/// </summary>
internal sealed class PlayedRun(PlayedOptions options)
{
    private readonly Random random = new(options.Seed);
    private readonly List<JournalRecord> journal = [];
    private readonly List<LedgerRow> ledger = [];
    private readonly Dictionary<string, long> keyCounts = new(StringComparer.Ordinal);
    private readonly List<PlayedPartition> lanes = [];
    private int index;

    public static GoodRun Of(PlayedOptions options) => new PlayedRun(options).Play();

    private GoodRun Play()
    {
        lanes.AddRange(Enumerable.Range(0, options.Partitions).Select(number => new PlayedPartition(number, options, random, journal)));
        if (options.EarlierRun > 0)
        {
            Append(options.EarlierRun, "run-0");
            Work(["earlier"]);
            index = 0;
            keyCounts.Clear();
        }

        Append(options.Events, GoodRun.Run);
        Expire();
        Work(null);
        var scope = GoodRun.GetScope(options.Promise) with
        {
            AcceptsExpired = options.Expired > 0,
            ReplayLimit = options.ReplayLimit,
            Run = options.EarlierRun > 0 ? GoodRun.Run : null,
        };
        return new GoodRun(ledger, journal, scope);
    }

    private void Append(int count, string run)
    {
        for (var i = 0; i < count; i++, index++)
        {
            var key = options.Keys == 0 ? null : $"key-{random.Next(options.Keys)}";
            var lane = lanes[key is null ? random.Next(options.Partitions) : key[^1] % options.Partitions];
            var keyIndex = key is null ? index : keyCounts[key] = keyCounts.GetValueOrDefault(key, -1) + 1;
            if (options.HasDoubtfulSends && index % 7 == 6)
            {
                var refused = new PlayedEvent(new SimulatedEvent(index, lane.Name, 0, key, keyIndex), run);
                ledger.Add(refused.Row() with { Outcome = SendOutcome.Failed });
                continue;
            }

            // Bodies of the earlier run are others than those of this one.
            var played = lane.Append(index, run == GoodRun.Run ? 0 : 1_000, key, keyIndex, run);
            journal.Add(played.Append());
            ledger.Add(played.Row() with { Outcome = options.HasDoubtfulSends && index % 5 == 4 ? SendOutcome.Unknown : SendOutcome.Acked });
            if (options.HasNeighbours && i % 6 == 0)
            {
                Neighbour(played);
            }
        }
    }

    private void Expire()
    {
        foreach (var lane in lanes)
        {
            journal.AddRange(lane.Expire(options.Expired));
        }
    }

    private void Work(IReadOnlyList<string>? owners)
    {
        var tenures = owners is null ? options.Tenures : [.. owners.Select(owner => new Tenure(owner, 100, Ending.Drained))];
        foreach (var lane in lanes)
        {
            lane.Begin(tenures);
        }

        while (lanes.Where(lane => !lane.IsOver).ToList() is { Count: > 0 } busy)
        {
            if (busy[random.Next(busy.Count)].Step())
            {
                // The emulator has ended under all owners, long after its last answer: all its answers have been read.
                journal.Add(new EmulatorStarted { Microseconds = 60_000_000 });
                foreach (var lane in lanes)
                {
                    lane.LoseEmulator();
                }
            }
        }
    }

    /// <summary>What others do with the hub, and in the same queue and containers.</summary>
    private void Neighbour(PlayedEvent played)
    {
        var other = played.Simulated;
        journal.Add(other.Append() with { Hub = "other", Properties = null });
        journal.Add(other.Message(WriteMoment.Begun) with { MessageId = $"other-{other.Partition}-{other.Sequence}", Properties = null });
        journal.Add(other.Message(WriteMoment.Stored) with { MessageId = $"other-{other.Partition}-{other.Sequence}", Properties = null });
        journal.Add(other.Deliver("audit-0") with { Group = "audit" });
        journal.Add(other.Checkpoint("auditor") with { Group = "audit" });
        journal.Add(new OwnershipWritten("checkpoints", GoodRun.Hub, "audit", other.Partition, "auditor", null, "o1"));
    }
}
