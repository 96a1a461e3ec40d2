using EventHubThroughput.Journal;
using static EventHubThroughput.Verification.Tests.ReplaySteps;

namespace EventHubThroughput.Verification.Tests;

/// <summary>The repetitions that a crash or a change of owner may cause. Partition 0 ends with checkpoint 19. While it is open, with 14.</summary>
internal static class ReplayMutants
{
    internal const string Bound = "replayBound";

    public static IEnumerable<Mutant> All => [.. WithoutClaims, .. WithClaims, .. WithNames];

    private static IEnumerable<Mutant> WithoutClaims =>
        [
            new("everything above the checkpoint repeated", run => AfterACrash(run, "link-1", 15)),
            new("more repeated than stood above the checkpoint", run => AfterACrash(run, "link-1", 14), Bound),
            new("repeated although checkpointed", run => Replay(run, "link-1", 15, 20), Bound),
            new("one event repeated although checkpointed", run => Replay(run, "link-1", 19, 20), Bound),
            new("everything repeated although checkpointed", run => Replay(run, "link-1", 0, 20), Bound),
            new(
                "everything was handed out before the first checkpoint, and what was checkpointed is repeated",
                run =>
                {
                    run.Prefetch();
                    AfterACrash(run, "link-1", 10);
                },
                Bound
            ),
            new(
                "everything was handed out before the first checkpoint, and what was not is repeated",
                run =>
                {
                    run.Prefetch();
                    AfterACrash(run, "link-1", 15);
                }
            ),
            new(
                "some below the checkpoint repeated in place of those above",
                run =>
                {
                    AfterACrash(run, "link-1", 12, 15);
                },
                Bound
            ),
            new(
                "everything repeated without a checkpoint",
                run =>
                {
                    run.Journal.RemoveAll(static record => record is CheckpointWritten { Partition: "0" });
                    Replay(run, "link-1", 0, 20);
                    Finish(run);
                }
            ),
            new("repeated on a link of the same name", run => AfterACrash(run, "link-0", 14), Bound),
            new("repeated on a link of the same name as far as it may", run => AfterACrash(run, "link-0", 15)),
            new(
                "repeated after the emulator started again",
                run =>
                {
                    Open(run);
                    run.Journal.Add(new EmulatorStarted());
                    Replay(run, "link-0", 14, 20);
                    Finish(run);
                },
                Bound
            ),
            new(
                "handed to a link that was not attached",
                run =>
                {
                    Open(run);
                    Hand(run, "link-1", 15, 20);
                    Finish(run);
                },
                "accounting"
            ),
            new(
                "given up, checkpointed and repeated",
                run =>
                {
                    var at = run.MessageAt(run.Of(0, 19), WriteMoment.Begun);
                    run.DropSinks(run.Of(0, 19));
                    run.Journal.Insert(at, run.Of(0, 19).DeadLetter());
                    Replay(run, "link-1", 19, 20);
                },
                Bound
            ),
            new(
                "repeated where attaches are not told",
                run =>
                {
                    RemoveAttaches(run);
                    Open(run);
                    Hand(run, "link-1", 14, 20);
                    Finish(run);
                },
                Bound
            ),
            new(
                "repeated as far as it may where attaches are not told",
                run =>
                {
                    RemoveAttaches(run);
                    Open(run);
                    Hand(run, "link-1", 15, 20);
                    Finish(run);
                }
            ),
        ];

    private static IEnumerable<Mutant> WithClaims =>
        [
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
                "a claim after the attach excuses nothing",
                run =>
                {
                    run.Journal.Add(Attach(run, "link-1", 15));
                    run.Journal.Add(Claim("another"));
                    Hand(run, "link-1", 15, 20);
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
                "repeated from a checkpoint that was set back for a moment",
                run =>
                {
                    run.Journal.Add(Claim("another"));
                    run.Journal.Insert(0, Claim("owner"));
                    run.Journal.Add(run.Of(0, 9).Checkpoint("setter"));
                    run.Journal.Add(run.Of(0, 19).Checkpoint("another setter"));
                    Replay(run, "link-1", 10, 20);
                }
            ),
        ];

    private static IEnumerable<Mutant> WithNames =>
        [
            new(
                "repeated by a processor with another checkpoint store, of whose checkpoints nothing is known",
                run =>
                {
                    run.Journal.Insert(0, Claim("another"));
                    run.Journal.Add(Claim("stranger") with { Container = "elsewhere" });
                    Replay(run, "link-1", 3, 20, "P0-stranger");
                }
            ),
            new(
                "repeated by one with another checkpoint store, who has claimed in this one too",
                run =>
                {
                    run.Journal.Insert(0, Claim("another"));
                    run.Journal.Add(Claim("both") with { Container = "elsewhere" });
                    run.Journal.Add(Claim("both"));
                    Replay(run, "link-1", 3, 20, "P0-both");
                },
                Bound
            ),
            new(
                "repeated by one who has claimed nowhere",
                run =>
                {
                    run.Journal.Insert(0, Claim("another"));
                    run.Journal.Add(Claim("stranger") with { Container = "elsewhere" });
                    Replay(run, "link-1", 3, 20, "P0-nobody");
                },
                Bound
            ),
            new(
                "a stranger to this checkpoint store uses nobody's claim up",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    run.Journal.Add(Claim("stranger") with { Container = "elsewhere" });
                    Replay(run, "link-1", 3, 20, "P0-stranger");
                    Replay(run, "link-2", 5, 20);
                }
            ),
            new(
                "a named reader is excused by its own claim",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20, "another");
                }
            ),
            new(
                "a name that ends with the owner's is its reader's",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20, "P0-another");
                }
            ),
            new(
                "a named reader is not excused by the claim of one who died",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("dead"));
                    run.Journal.Add(Claim("another"));
                    Replay(run, "link-1", 15, 20, "another");
                },
                Bound
            ),
            new(
                "a name that nobody claimed by is no name",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20, "nobody");
                }
            ),
            new(
                "a named reader attaches again before it stored a checkpoint",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 10, "another");
                    Replay(run, "link-2", 5, 20, "another");
                }
            ),
            new(
                "a named reader attaches again after it stored a checkpoint",
                run =>
                {
                    Open(run);
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("another"));
                    Replay(run, "link-1", 5, 20, "another");
                    Finish(run);
                    Replay(run, "link-2", 5, 20, "another");
                },
                Bound
            ),
            new(
                "a reader comes by a claim that its owner has made again meanwhile",
                run =>
                {
                    run.Journal.Insert(CheckpointAt(run, 9), Claim("late"));
                    run.Journal.AddRange([Claim("prompt"), Claim("late")]);
                    Replay(run, "link-1", 5, 20, "late");
                }
            ),
            new(
                "a reader comes by a claim that an attach has used, although its owner has claimed again",
                run =>
                {
                    run.Journal.InsertRange(CheckpointAt(run, 9), [Claim("late"), Attach(run, "link-1", 5) with { ClientId = "late" }]);
                    run.Journal.AddRange([Claim("prompt"), Claim("late")]);
                    Replay(run, "link-2", 5, 20, "late");
                },
                Bound
            ),
            .. TakenLinkMutants.All,
            new(
                "a checkpoint of the reader that its owner had before leaves a claim open",
                run =>
                {
                    run.Journal.InsertRange(CheckpointAt(run, 9), [Claim("another"), Claim("owner")]);
                    Replay(run, "link-1", 5, 20, "owner");
                }
            ),
            new(
                "lower in the same incarnation under the name of nobody who claimed",
                run =>
                {
                    run.Journal.Insert(0, Claim("owner"));
                    run.Journal.Add(run.Of(0, 18).Checkpoint("somebody"));
                    run.Journal.Add(run.Of(0, 17).Checkpoint("somebody else"));
                    run.Journal.Add(run.Of(0, 19).Checkpoint("owner"));
                },
                "checkpointRegressionWithin"
            ),
        ];
}
