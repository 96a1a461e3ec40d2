using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>
/// A correct consumer, played with a seed. It has events of several partitions and keys, and writes that interleave as far as the promised order lets
/// them. It has checkpoints at the low watermark, and crashes with a replay from the last checkpoint.
/// </summary>
internal sealed class Simulation(int seed)
{
    private readonly Random random = new(seed);
    private readonly List<JournalRecord> journal = [];

    public int Events { get; init; } = 40;

    public int Partitions { get; init; } = 2;

    public int Keys { get; init; } = 4;

    public int Crashes { get; init; }

    public int Degree { get; init; } = 4;

    public OrderPromise Promise { get; init; }

    /// <summary>Every crash takes the emulator with it, so that links are numbered from the beginning again.</summary>
    public bool RestartsEmulator { get; init; }

    /// <summary>One event in this number is poison and goes to the dead letters. 0 for none.</summary>
    public int PoisonEvery { get; init; }

    /// <summary>One message in this number is stored and its answer lost, so that it is written again. 0 for none, and no answers are recorded.</summary>
    public int LostAnswerEvery { get; init; }

    /// <summary>The first broken pump: the position is stored when the event is taken, not when it is done.</summary>
    public bool ChecksFirst { get; init; }

    public List<SimulatedEvent> All { get; } = [];

    public GoodRun Play()
    {
        var lanes = Enumerable.Range(0, Partitions).Select(_ => new Lane()).ToList();
        var keyCounts = new Dictionary<string, long>();
        for (var i = 0; i < Events; i++)
        {
            var key = Keys == 0 ? null : $"key-{random.Next(Keys)}";
            var partition = key is null ? random.Next(Partitions) : key[^1] % Partitions;
            var keyIndex = key is null ? i : keyCounts[key] = keyCounts.GetValueOrDefault(key, -1) + 1;
            // A sequence gap is not a fault.
            lanes[partition].Next += random.Next(20) == 0 ? 3 : 1;
            var simulated = new SimulatedEvent(i, partition.ToString(), lanes[partition].Next, key, keyIndex);
            lanes[partition].Events.Add(simulated);
            All.Add(simulated);
            journal.Add(simulated.Append());
        }

        foreach (var (crash, lane) in Enumerable.Range(0, Crashes).Select(crash => (crash, lanes[random.Next(Partitions)])))
        {
            lane.CrashAt.Add(random.Next(1, (4 * lane.Events.Count) + 2));
        }

        foreach (var lane in lanes.Where(static lane => lane.Events.Count > 0))
        {
            journal.Add(lane.Events[0].Attach(lane.Link));
        }

        while (lanes.Where(lane => !lane.Finished).ToList() is { Count: > 0 } busy)
        {
            Step(busy[random.Next(busy.Count)]);
        }

        return new GoodRun([.. All.Select(simulated => simulated.Row())], journal, GoodRun.GetScope(Promise));
    }

    private void Step(Lane lane)
    {
        if (lane.CrashAt.Remove(++lane.Steps))
        {
            Crash(lane);
            return;
        }

        switch (random.Next(8))
        {
            case 0 or 1:
                Take(lane);
                break;
            case 2:
                Checkpoint(lane);
                break;
            default:
                Write(lane);
                break;
        }
    }

    private void Take(Lane lane)
    {
        if (lane.Taken == lane.Events.Count || lane.Working.Count == Degree)
        {
            return;
        }

        var next = lane.Events[lane.Taken];
        if (lane.Working.Any(work => Promise == OrderPromise.Partition || (Promise == OrderPromise.Key && work.Event.Key == next.Key)))
        {
            return;
        }

        journal.Add(next.Deliver(lane.Link));
        lane.Working.Add(new Work(next, random.Next(2) == 0) { IsPoison = PoisonEvery > 0 && next.Index % PoisonEvery == 0 });
        lane.Taken++;
        if (ChecksFirst)
        {
            journal.Add(next.Checkpoint());
        }
    }

    private void Write(Lane lane)
    {
        if (lane.Working.Count == 0)
        {
            return;
        }

        var work = lane.Working[random.Next(lane.Working.Count)];
        if (work.IsPoison)
        {
            journal.Add(work.Event.DeadLetter());
            lane.Working.Remove(work);
            return;
        }

        var message = work.BlobSteps == 2 || (work.MessageSteps < 2 && (!work.IsConcurrent || random.Next(2) == 0));
        if (message)
        {
            journal.Add(work.Event.Message(work.MessageSteps++ == 0 ? WriteMoment.Begun : WriteMoment.Stored));
            if (work.MessageSteps == 2 && LostAnswerEvery > 0)
            {
                Answer(work);
            }
        }
        else if (work.BlobSteps++ == 0)
        {
            journal.Add(work.Event.Blob(WriteMoment.Begun));
        }
        else if (lane.Blobs.Add(work.Event.Sequence))
        {
            // Else the upload found its blob there already, and nothing was stored.
            journal.Add(work.Event.Blob(WriteMoment.Stored));
        }

        if (work is { MessageSteps: 2, BlobSteps: 2 })
        {
            lane.Working.Remove(work);
        }
    }

    private void Answer(Work work)
    {
        if (random.Next(LostAnswerEvery) == 0)
        {
            work.MessageSteps = 0;
        }
        else
        {
            journal.Add(work.Event.Message(WriteMoment.Answered));
        }
    }

    private void Crash(Lane lane)
    {
        lane.Crash(RestartsEmulator);
        if (RestartsEmulator)
        {
            journal.Add(new EmulatorStarted());
        }
        else if (random.Next(2) == 0)
        {
            lane.Owner++;
        }

        journal.Add(
            new OwnershipWritten(
                "checkpoints",
                GoodRun.Hub,
                GoodRun.Group.ToLowerInvariant(),
                lane.Events.Count == 0 ? "0" : lane.Events[0].Partition,
                $"owner-{lane.Owner}",
                null,
                null
            )
        );
        if (lane.Taken < lane.Events.Count)
        {
            // Half of the runs have readers that name themselves, as official processors do.
            journal.Add(lane.Events[lane.Taken].Attach(lane.Link) with { ClientId = seed % 2 == 0 ? $"P-owner-{lane.Owner}" : null });
        }
    }

    private void Checkpoint(Lane lane)
    {
        // The low watermark: everything before the oldest event still being written.
        var complete = lane.Working.Count == 0 ? lane.Taken : lane.Working.Min(work => lane.Events.IndexOf(work.Event));
        if (complete > lane.Checkpointed && !ChecksFirst)
        {
            journal.Add(lane.Events[complete - 1].Checkpoint($"owner-{lane.Owner}"));
            lane.Checkpointed = complete;
        }

        lane.Finished = complete == lane.Events.Count && lane.CrashAt.All(step => step <= lane.Steps);
    }

    private sealed class Lane
    {
        private int incarnation;

        public List<SimulatedEvent> Events { get; } = [];

        public List<Work> Working { get; } = [];

        public HashSet<long> Blobs { get; } = [];

        public HashSet<int> CrashAt { get; } = [];

        public string Link => $"link-{incarnation}";

        public long Next { get; set; } = -1;

        public int Steps { get; set; }

        public int Taken { get; set; }

        public int Checkpointed { get; set; }

        public bool Finished { get; set; }

        public int Owner { get; set; }

        public void Crash(bool restartsEmulator)
        {
            incarnation = restartsEmulator ? 0 : incarnation + 1;
            Working.Clear();
            Taken = Checkpointed;
        }
    }

    private sealed class Work(SimulatedEvent simulated, bool atOnce)
    {
        public SimulatedEvent Event { get; } = simulated;

        public bool IsConcurrent { get; } = atOnce;

        public bool IsPoison { get; init; }

        public int MessageSteps { get; set; }

        public int BlobSteps { get; set; }
    }
}
