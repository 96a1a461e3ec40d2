using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What a crash or a change of owner may make repeat. After the run partition 0 has checkpoint 19, and 14 while it still read.</summary>
internal static class ReplayMutants
{
    private const string Bound = "replayBound";

    public static IEnumerable<Mutant> All =>
        [
            new("everything above the checkpoint repeated", run => Replay(run, "link-1", 15, 20)),
            new("more repeated than stood above the checkpoint", run => Replay(run, "link-1", 14, 20), Bound),
            new("everything repeated", run => Replay(run, "link-1", 0, 20), Bound),
            new(
                "everything repeated without a checkpoint",
                run =>
                {
                    run.WithoutCheckpoints();
                    Replay(run, "link-1", 0, 20);
                }
            ),
            new("repeated on a link of the same name", run => Replay(run, "link-0", 14, 20), Bound),
            new("repeated on a link of the same name as far as it may", run => Replay(run, "link-0", 15, 20)),
            new(
                "repeated after the emulator started again",
                run =>
                {
                    run.Journal.Add(new EmulatorStarted());
                    Replay(run, "link-0", 14, 20);
                },
                Bound
            ),
            new(
                "repeated from a checkpoint that was stored after the claim",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20);
                }
            ),
            new(
                "repeated from below the claim's checkpoint",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 4, 20);
                },
                Bound
            ),
            new(
                "a claim of the same owner excuses nothing",
                run =>
                {
                    run.Journal.Insert(0, Claim("another"));
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20);
                },
                Bound
            ),
            new(
                "a claim of another partition excuses nothing",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another") with { Partition = "1" });
                    Replay(run, "link-1", 5, 20);
                },
                Bound
            ),
            new(
                "a claim of another group excuses nothing",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another") with { Group = "other" });
                    Replay(run, "link-1", 5, 20);
                },
                Bound
            ),
            new(
                "a claim excuses one change only",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20);
                    Replay(run, "link-2", 10, 20);
                },
                Bound
            ),
            new(
                "who claimed comes late, after another one who claimed",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("late"));
                    run.Journal.Add(Claim("prompt"));
                    Replay(run, "link-1", 15, 20);
                    Replay(run, "link-2", 5, 20);
                }
            ),
            new(
                "who claimed comes twice, after another one who claimed",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("late"));
                    run.Journal.Add(Claim("prompt"));
                    Replay(run, "link-1", 15, 20);
                    Replay(run, "link-2", 5, 20);
                    Replay(run, "link-3", 5, 20);
                },
                Bound
            ),
            new(
                "repeated within the limit",
                run =>
                {
                    Limit(run, 5);
                    AtLimit(run);
                }
            ),
            new(
                "repeated beyond the limit",
                run =>
                {
                    Limit(run, 4);
                    AtLimit(run);
                },
                Bound
            ),
            new(
                "beyond the limit because somebody else set the checkpoint back",
                run =>
                {
                    Limit(run, 5);
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    Replay(run, "link-1", 10, 20);
                }
            ),
            new(
                "repeated from below a checkpoint that somebody else set back",
                run =>
                {
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    Replay(run, "link-1", 9, 20);
                },
                Bound
            ),
            new(
                "repeated from a checkpoint that was set back for a moment",
                run =>
                {
                    run.Journal.Add(Claim("another"));
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    run.Journal.Add(run.Of(0, 19).Checkpoint("one more"));
                    Replay(run, "link-1", 10, 20);
                }
            ),
            new(
                "beyond the limit above the checkpoint that was set back",
                run =>
                {
                    Limit(run, 4);
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    AtLimit(run);
                },
                Bound
            ),
            new(
                "repeated for another group",
                run => run.Journal.AddRange(Enumerable.Range(0, 20).Select(sequence => run.Of(0, sequence).Deliver("link-9") with { Group = "other" }))
            ),
            new("everything read again by a reader without owner level", run => LookOn(run, "link-9", 0, 20)),
            new(
                "a reader without owner level excuses nothing",
                run =>
                {
                    LookOn(run, "link-9", 0, 20);
                    Replay(run, "link-1", 14, 20);
                },
                Bound
            ),
            new(
                "everything repeated where no reader has an owner level",
                run =>
                {
                    Replay(run, "link-1", 0, 20);
                    for (var at = 0; at < run.Journal.Count; at++)
                    {
                        run.Journal[at] = run.Journal[at] is EventDelivered delivered ? delivered with { OwnerLevel = null } : run.Journal[at];
                    }
                },
                Bound
            ),
            new(
                "read by one without owner level before anybody claimed it",
                run =>
                {
                    run.Journal.InsertRange(run.Events.Count, Enumerable.Range(0, 20).Select(sequence => Looked(run, "link-9", sequence)));
                    Replay(run, "link-1", 15, 20);
                }
            ),
            new(
                "delivered on two links in turn",
                run =>
                {
                    // The first link is still served when the second has begun: one change, not one for each delivery.
                    Replay(run, "link-1", 15, 18);
                    run.Journal.Add(run.Of(0, 19).Deliver("link-1"));
                }
            ),
        ];

    private static void Replay(MutableRun run, string link, int from, int to)
    {
        for (var sequence = from; sequence < to; sequence++)
        {
            run.Journal.Add(run.Of(0, sequence).Deliver(link));
        }
    }

    /// <summary>As a tool does that reads a partition, or the package's processor before it claims any.</summary>
    private static void LookOn(MutableRun run, string link, int from, int to) =>
        run.Journal.AddRange(Enumerable.Range(from, to - from).Select(sequence => Looked(run, link, sequence)));

    private static EventDelivered Looked(MutableRun run, string link, int sequence) => run.Of(0, sequence).Deliver(link) with { OwnerLevel = null };

    /// <summary>Five events of partition 0 have begun above the last checkpoint when the next incarnation begins.</summary>
    private static void AtLimit(MutableRun run)
    {
        run.Journal.RemoveAt(CheckpointAt(run, 19));
        Replay(run, "link-1", 15, 20);
    }

    private static void Limit(MutableRun run, long limit) => run.Scope = run.Scope with { ReplayLimit = limit };

    private static OwnershipWritten Claim(string owner) => new("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), "0", owner, null, null);

    private static int CheckpointAt(MutableRun run, int sequence) =>
        run.Journal.FindIndex(record => record is CheckpointWritten { Partition: "0" } checkpoint && checkpoint.Sequence == sequence.ToString());
}
