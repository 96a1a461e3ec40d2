using EventHubThroughput.Journal;
using static EventHubThroughput.Verification.Tests.ReplaySteps;

namespace EventHubThroughput.Verification.Tests;

/// <summary>The repetitions of an owner whose link another owner has taken.</summary>
internal static class TakenLinkMutants
{
    public static IEnumerable<Mutant> All =>
        [
            new(
                "an owner whose link was taken comes without a claim, with the checkpoint of then",
                run =>
                {
                    TakeLink(run);
                    Replay(run, "link-3", 5, 20, "first");
                }
            ),
            new(
                "an owner whose link was taken comes twice, since its link was lost",
                run =>
                {
                    TakeLink(run);
                    Replay(run, "link-3", 5, 10, "first");
                    Replay(run, "link-4", 5, 20, "first");
                }
            ),
            new(
                "an owner whose link was taken comes with a lower checkpoint than that of then",
                run =>
                {
                    TakeLink(run);
                    Replay(run, "link-3", 4, 20, "first");
                },
                ReplayMutants.Bound
            ),
            new(
                "an owner whose link was taken comes with a lower checkpoint than its own later one",
                run =>
                {
                    TakeLink(run);
                    run.Journal.Insert(CheckpointAt(run, 14), run.Of(0, 10).Checkpoint("first"));
                    Replay(run, "link-3", 10, 20, "first");
                },
                ReplayMutants.Bound
            ),
            new(
                "an owner whose link was taken comes with its own later checkpoint",
                run =>
                {
                    TakeLink(run);
                    run.Journal.Insert(CheckpointAt(run, 14), run.Of(0, 10).Checkpoint("first"));
                    Replay(run, "link-3", 11, 20, "first");
                }
            ),
            new(
                "an owner whose link was taken comes with the checkpoint of then, after a new claim",
                run =>
                {
                    TakeLink(run);
                    run.Journal.Add(Claim("first"));
                    Replay(run, "link-3", 5, 20, "first");
                },
                ReplayMutants.Bound
            ),
            new(
                "an owner whose link was taken after its second claim comes without another one",
                run =>
                {
                    TakeLink(run, Claim("second"), Claim("first"));
                    Replay(run, "link-3", 5, 20, "first");
                }
            ),
            new(
                "an owner that gave the partition up before comes without a claim",
                run =>
                {
                    TakeLink(run, Claim(""));
                    Replay(run, "link-3", 5, 20, "first");
                },
                ReplayMutants.Bound
            ),
        ];

    // Before checkpoint 9 a first owner stores 4, and a second one takes its link. Later checkpoints are of others. "between" comes before the second claim.
    private static void TakeLink(MutableRun run, params IEnumerable<JournalRecord> between) =>
        run.Journal.InsertRange(
            CheckpointAt(run, 9),
            [
                Claim("first"),
                Attach(run, "link-1", 5) with
                {
                    ClientId = "first",
                },
                run.Of(0, 4).Checkpoint("first"),
                .. between,
                Claim("second"),
                Attach(run, "link-2", 5) with
                {
                    ClientId = "second",
                },
            ]
        );
}
