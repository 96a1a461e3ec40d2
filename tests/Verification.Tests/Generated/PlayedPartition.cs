using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>One partition of a played run, and its owners one after the other.</summary>
internal sealed class PlayedPartition(int number, PlayedOptions options, Random random, List<JournalRecord> journal)
{
    private readonly List<PlayedEvent> events = [];
    private readonly HashSet<PlayedEvent> complete = [];
    private readonly HashSet<PlayedEvent> archived = [];
    private readonly List<PlayedWork> working = [];
    private IReadOnlyList<Tenure> tenures = [];
    private string? owner;
    private int tenure;
    private int links;

    // Places in the list of events, all exclusive: stored, delivered, begun.
    private int stored;
    private int delivered;
    private int begun;
    private bool isReading;
    private bool ends;

    public string Name { get; } = $"{number}";

    public bool IsOver { get; private set; }

    private Tenure Now => tenures[tenure];

    private string Link => $"link-{links}#{Name}";

    public PlayedEvent Append(int index, int bodies, string? key, long keyIndex, string run)
    {
        // A gap in the numbers is not a fault.
        var sequence = events.Count == 0 ? random.Next(2) : events[^1].Sequence + (random.Next(10) == 0 ? 3 : 1);
        var simulated = new SimulatedEvent(index + bodies, Name, sequence, key, keyIndex);
        events.Add(new PlayedEvent(simulated, run));
        return events[^1];
    }

    public IEnumerable<JournalRecord> Expire(int count)
    {
        foreach (var played in events.Take(count))
        {
            complete.Add(played);
            yield return new EventExpired(GoodRun.Hub, Name, played.Sequence);
        }

        stored = Math.Max(stored, Math.Min(count, events.Count));
    }

    public void Begin(IReadOnlyList<Tenure> owners)
    {
        (tenures, tenure, isReading, ends) = (owners, 0, false, false);
        IsOver = stored == events.Count;
    }

    /// <summary>Does one step. True when the emulator is killed.</summary>
    public bool Step()
    {
        if (!isReading)
        {
            Claim(Now.Owner);
            links++;
            Attach();
            (isReading, ends, delivered, begun) = (true, false, stored, stored);
            working.Clear();
            return false;
        }

        if (!ends && complete.Count * 100 >= Now.Percent * events.Count && tenure < tenures.Count - 1)
        {
            ends = true;
            switch (Now.Ending)
            {
                case Ending.Killed:
                    Next();
                    return false;
                case Ending.Restarted:
                    return true;
                case Ending.Robbed:
                    Claim(tenures[tenure + 1].Owner);
                    break;
                default:
                    break;
            }
        }

        Progress();
        return false;
    }

    public void LoseEmulator()
    {
        if (!IsOver && isReading)
        {
            links = 0;
            if (ends)
            {
                Next();
            }

            isReading = false;
        }
    }

    private void Progress()
    {
        switch (random.Next(10))
        {
            case 0 or 1 or 2 when !ends && delivered < events.Count && delivered - begun < options.Prefetch:
                Deliver(events[delivered++]);
                break;
            case 3 or 4 when !ends && begun < delivered && working.Count < options.Degree && MayBegin(events[begun]):
                working.Add(new PlayedWork(events[begun], IsPoison(begun), GetFault(begun), archived, random, journal));
                begun++;
                break;
            case 5 when Watermark - stored >= options.CheckpointEvery && !ends:
                Checkpoint();
                break;
            case 6 when random.Next(8) == 0:
                journal.Add(Ownership(owner!));
                break;
            default:
                Write();
                break;
        }

        if (working.Count == 0 && (ends || begun == events.Count))
        {
            Drain();
        }
    }

    private int Watermark
    {
        get
        {
            var place = stored;
            while (place < begun && complete.Contains(events[place]) && !working.Any(work => work.Event == events[place]))
            {
                place++;
            }

            return place;
        }
    }

    private void Deliver(PlayedEvent next)
    {
        if (options.FaultEvery > 0 && delivered % (3 * options.FaultEvery) == 0)
        {
            journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"{GoodRun.Hub}/{GoodRun.Group}/{Name}/{next.Simulated.Offset}"));
            journal.Add(next.Deliver(Link));
        }

        journal.Add(next.Deliver(Link));
    }

    private void Write()
    {
        if (working.Count > 0 && working[random.Next(working.Count)] is var work && work.Step())
        {
            working.Remove(work);
            complete.Add(work.Event);
        }
    }

    private void Drain()
    {
        if (Watermark > stored)
        {
            Checkpoint();
        }

        if (Now.Ending != Ending.Robbed || tenure == tenures.Count - 1)
        {
            Claim(string.Empty);
        }

        IsOver = stored == events.Count;
        Next();
    }

    private void Next()
    {
        tenure = Math.Min(tenure + 1, tenures.Count - 1);
        isReading = false;
    }

    private void Checkpoint()
    {
        stored = Watermark;
        foreach (var moment in Enum.GetValues<WriteMoment>())
        {
            journal.Add(events[stored - 1].Checkpoint(Now.Owner, moment));
        }
    }

    private void Claim(string newOwner)
    {
        if (owner != newOwner)
        {
            owner = newOwner;
            journal.Add(Ownership(newOwner));
        }
    }

    private void Attach()
    {
        if (options.RecordsAttaches)
        {
            // Half of the runs have readers that name themselves, as official processors do.
            journal.Add(
                new ReaderAttached(
                    GoodRun.Hub,
                    GoodRun.Group,
                    Name,
                    stored == 0 ? 0 : events[stored - 1].Sequence + 1,
                    Link,
                    0,
                    options.Seed % 2 == 0 ? $"P-{Now.Owner}" : null
                )
            );
        }
    }

    private OwnershipWritten Ownership(string whose) => new("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), Name, whose, "o0", "o1");

    private bool MayBegin(PlayedEvent next) =>
        options.Promise switch
        {
            OrderPromise.Partition => working.Count == 0,
            OrderPromise.Key => working.All(work => work.Event.Key != next.Key),
            _ => true,
        };

    private bool IsPoison(int place) => options.PoisonEvery > 0 && place % options.PoisonEvery == 1;

    private PlayedFault GetFault(int place) =>
        options.FaultEvery > 0 && place % options.FaultEvery == 0 ? (PlayedFault)(1 + (place / options.FaultEvery % 3)) : PlayedFault.None;
}
