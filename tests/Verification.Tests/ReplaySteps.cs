using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What readers do to the journal of a good run, of which each mutant of a replay is made.</summary>
internal static class ReplaySteps
{
    /// <summary>The reader of before is gone with five events above its checkpoint. The next one begins at the given position and finishes.</summary>
    public static void AfterACrash(MutableRun run, string link, int from, int to = 20)
    {
        Open(run);
        Replay(run, link, from, to);
        Finish(run);
    }

    /// <summary>Takes the last checkpoint of partition 0 away, so that 14 is what a next reader finds.</summary>
    public static void Open(MutableRun run) => run.Journal.RemoveAt(CheckpointAt(run, 19));

    public static void Finish(MutableRun run) => run.Journal.Add(run.Of(0, 19).Checkpoint("another"));

    public static void RemoveAttaches(MutableRun run) => run.Journal.RemoveAll(static record => record is ReaderAttached);

    public static void Replay(MutableRun run, string link, int from, int to, string? reader = null)
    {
        run.Journal.Add(Attach(run, link, from) with { ClientId = reader });
        Hand(run, link, from, to);
    }

    public static ReaderAttached Attach(MutableRun run, string link, int from) => run.Of(0, from).Attach(link);

    public static void Hand(MutableRun run, string link, int from, int to)
    {
        for (var sequence = from; sequence < to; sequence++)
        {
            run.Journal.Add(run.Of(0, sequence).Deliver(link));
        }
    }

    public static void HandAgain(MutableRun run, string link)
    {
        run.Journal.Add(run.Middle.Deliver(link));
        run.AddCopy(redelivered: false);
    }

    /// <summary>As a tool does that reads a partition, or the package's processor before it claims any.</summary>
    public static void LookOn(MutableRun run, string link, int from, int to)
    {
        run.Journal.Add(Attach(run, link, from) with { OwnerLevel = null });
        run.Journal.AddRange(Enumerable.Range(from, to - from).Select(sequence => Looked(run, link, sequence)));
    }

    public static EventDelivered Looked(MutableRun run, string link, int sequence) => run.Of(0, sequence).Deliver(link) with { OwnerLevel = null };

    public static void Limit(MutableRun run, long limit) => run.Scope = run.Scope with { ReplayLimit = limit };

    public static OwnershipWritten Claim(string owner) => new("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), "0", owner, null, null);

    public static int CheckpointAt(MutableRun run, int sequence) =>
        run.Journal.FindIndex(record => record is CheckpointWritten { Partition: "0" } checkpoint && checkpoint.Sequence == sequence.ToString());
}
