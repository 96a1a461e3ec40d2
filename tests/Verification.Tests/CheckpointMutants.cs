using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What can go wrong with checkpoints.</summary>
internal static class CheckpointMutants
{
    private const string Ahead = "checkpointAhead";
    private const string Within = "checkpointRegressionWithin";

    public static IEnumerable<Mutant> All =>
        [
            new("one beyond what is complete", run => Change(run, 9, checkpoint => At(run.Of(0, 10), checkpoint)), Ahead),
            new("just before the completing tick", run => MoveToCompletionOf(run, 9, before: true), Ahead),
            new("just after the completing tick", run => MoveToCompletionOf(run, 9, before: false)),
            new(
                "on an event that was never delivered",
                run =>
                {
                    run.Ledger[38] = run.Ledger[38] with { Outcome = SendOutcome.Unknown };
                    run.DropSinks(run.Of(0, 19));
                    run.Journal.RemoveAll(record => record is EventDelivered { Partition: "0", Sequence: 19 });
                },
                Ahead
            ),
            new("beyond the end", run => run.Journal.Add(run.Of(0, 19).Checkpoint() with { Sequence = "20", Offset = "20000" }), Ahead),
            new("without a number", run => run.Journal.Add(run.Of(0, 19).Checkpoint() with { Sequence = "many" }), Ahead),
            new("offset of a later event", run => Change(run, 9, checkpoint => checkpoint with { Offset = run.Of(0, 12).Offset }), Ahead),
            new("unknown offset alone", run => Change(run, 9, checkpoint => checkpoint with { Sequence = null, Offset = "x" }), Ahead),
            new("offset alone", run => Change(run, 9, checkpoint => checkpoint with { Sequence = null })),
            new("offset alone and ahead", run => Change(run, 9, checkpoint => checkpoint with { Sequence = null, Offset = run.Of(0, 10).Offset }), Ahead),
            new("sequence alone", run => Change(run, 9, checkpoint => checkpoint with { Offset = null })),
            new("neither of both", run => Change(run, 9, checkpoint => checkpoint with { Sequence = null, Offset = null })),
            new("lower in the same incarnation", run => run.Journal.Add(run.Of(0, 18).Checkpoint()), Within),
            new("repeated in the same incarnation", run => run.Journal.Add(run.Of(0, 19).Checkpoint()), Within),
            new(
                "lower in the next incarnation",
                run =>
                {
                    run.Journal.Insert(Find(run, 19), Claim("another"));
                    run.Journal.Add(run.Of(0, 15).Attach("link-1"));
                    run.Journal.AddRange(Enumerable.Range(15, 4).Select(sequence => run.Of(0, sequence).Deliver("link-1")));
                    run.Journal.Add(run.Of(0, 18).Checkpoint("another"));
                    run.Journal.Add(run.Of(0, 19).Checkpoint("another"));
                }
            ),
            new(
                "with the placeholder for an unknown offset",
                run =>
                    run.Journal.AddRange([
                        Claim("another"),
                        run.Of(0, 18).Checkpoint("another") with
                        {
                            Offset = "no offset",
                        },
                        Claim("one more"),
                        run.Of(0, 19).Checkpoint("one more"),
                    ])
            ),
            new(
                "with nothing but that placeholder",
                run => run.Journal.Add(run.Of(0, 18).Checkpoint("another") with { Sequence = null, Offset = "no offset" })
            ),
            new(
                "lower by another owner",
                run => run.Journal.AddRange([Claim("another"), run.Of(0, 18).Checkpoint("another"), Claim("one more"), run.Of(0, 19).Checkpoint("one more")])
            ),
            new("lower by another client that has claimed nothing", run => run.Journal.Add(run.Of(0, 18).Checkpoint("another")), Within),
            new("lower in another container", run => run.Journal.Add(run.Of(0, 3).Checkpoint() with { Container = "other" })),
            new("lower in another group", run => run.Journal.Add(run.Of(0, 3).Checkpoint() with { Group = "other" })),
            new(
                "before an event that another run sent",
                run => run.Journal.Insert(0, new SimulatedEvent(0, "0", -1, null, 0).Append() with { Properties = null })
            ),
            new("past the open first event of the second partition", run => run.DropSinks(run.Of(1, 0)), "lost", Ahead),
            new(
                "on another run's event at the beginning of the second partition",
                run =>
                {
                    var other = new SimulatedEvent(0, "1", -1, null, 0);
                    run.Journal.Insert(0, other.Append() with { Properties = null });
                    run.Journal.Insert(1, other.Checkpoint("another"));
                }
            ),
            new(
                "below the first event of the partition",
                run => run.Journal.Insert(0, new SimulatedEvent(0, "0", -3, null, 0).Checkpoint("another") with { Offset = "7" }),
                Ahead
            ),
            new(
                "a sequence gap",
                run =>
                    run.Journal.Insert(
                        run.IndexOf(run.Of(0, 19), record => record is EventAppended) + 1,
                        new SimulatedEvent(0, "0", 700, null, 0).Append() with
                        {
                            Properties = null,
                        }
                    )
            ),
        ];

    private static OwnershipWritten Claim(string owner) => new("checkpoints", GoodRun.Hub, GoodRun.Group.ToLowerInvariant(), "0", owner, null, null);

    private static void Change(MutableRun run, long sequence, Func<CheckpointWritten, CheckpointWritten> change)
    {
        var at = Find(run, sequence);
        run.Journal[at] = change((CheckpointWritten)run.Journal[at]);
    }

    private static CheckpointWritten At(SimulatedEvent simulated, CheckpointWritten checkpoint) =>
        checkpoint with
        {
            Sequence = simulated.Sequence.ToString(),
            Offset = simulated.Offset,
        };

    private static void MoveToCompletionOf(MutableRun run, int sequence, bool before)
    {
        var checkpoint = run.Journal[Find(run, sequence)];
        run.Journal.Remove(checkpoint);
        run.Journal.Insert(run.BlobAt(run.Of(0, sequence)) + (before ? 0 : 1), checkpoint);
    }

    private static int Find(MutableRun run, long sequence) =>
        run.Journal.FindIndex(record => record is CheckpointWritten { Partition: "0" } checkpoint && checkpoint.Sequence == sequence.ToString());
}
