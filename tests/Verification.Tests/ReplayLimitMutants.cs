using EventHubThroughput.Journal;
using static EventHubThroughput.Verification.Tests.ReplaySteps;

namespace EventHubThroughput.Verification.Tests;

/// <summary>
/// The most events that may be delivered again, to onlookers, and on one link. Partition 0 ends with checkpoint 19. While it is open, with 14.
/// </summary>
internal static class ReplayLimitMutants
{
    private const string Bound = "replayBound";

    public static IEnumerable<Mutant> All => [.. WithLimits, .. OfOnlookers, .. OnOneLink];

    private static IEnumerable<Mutant> WithLimits =>
        [
            new(
                "repeated within the limit",
                run =>
                {
                    Limit(run, 5);
                    AfterACrash(run, "link-1", 15);
                }
            ),
            new(
                "repeated beyond the limit",
                run =>
                {
                    Limit(run, 4);
                    AfterACrash(run, "link-1", 15);
                },
                Bound
            ),
            new(
                "beyond the limit because somebody else set the checkpoint back",
                run =>
                {
                    Limit(run, 5);
                    run.Journal.Insert(0, Claim("owner"));
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    Replay(run, "link-1", 10, 20);
                    Finish(run);
                }
            ),
            new(
                "repeated from below a checkpoint that somebody else set back",
                run =>
                {
                    run.Journal.Insert(0, Claim("owner"));
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    Replay(run, "link-1", 9, 20);
                    Finish(run);
                },
                Bound
            ),
            new(
                "beyond the limit above the checkpoint that was set back",
                run =>
                {
                    Limit(run, 4);
                    Open(run);
                    run.Journal.Insert(0, Claim("owner"));
                    run.Journal.Add(run.Of(0, 9).Checkpoint("another"));
                    Replay(run, "link-1", 15, 20);
                    Finish(run);
                },
                Bound
            ),
        ];

    private static IEnumerable<Mutant> OfOnlookers =>
        [
            new(
                "repeated for another group",
                run => run.Journal.AddRange(Enumerable.Range(0, 20).Select(sequence => run.Of(0, sequence).Deliver("link-9") with { Group = "other" }))
            ),
            new("everything read again by a reader without owner level", run => LookOn(run, "link-9", 0, 20)),
            new(
                "a reader without owner level excuses nothing",
                run =>
                {
                    Open(run);
                    LookOn(run, "link-9", 0, 20);
                    Replay(run, "link-1", 14, 20);
                    Finish(run);
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
                    AfterACrash(run, "link-1", 15);
                }
            ),
        ];

    private static IEnumerable<Mutant> OnOneLink =>
        [
            new(
                "delivered on two links in turn",
                run =>
                {
                    // The first link is still served when the second has begun: one change, not one for each delivery.
                    Open(run);
                    Replay(run, "link-1", 15, 18);
                    Hand(run, "link-1", 19, 20);
                    Finish(run);
                }
            ),
            new("handed out twice on one link and written twice", run => HandAgain(run, "link-0"), "duplicateServiceBus", "accounting"),
            new(
                "handed out twice because a fault asked for it",
                run =>
                {
                    run.Journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"HUB/$default/0/{run.Middle.Offset}"));
                    HandAgain(run, "link-0");
                }
            ),
            new(
                "handed out twice where a fault asked for another partition's",
                run =>
                {
                    run.Journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"hub/$Default/1/{run.Middle.Offset}"));
                    HandAgain(run, "link-0");
                },
                "duplicateServiceBus",
                "accounting"
            ),
            new(
                "handed out twice where a fault asked for another event's",
                run =>
                {
                    run.Journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"hub/$Default/0/{run.Of(0, 8).Offset}"));
                    HandAgain(run, "link-0");
                },
                "duplicateServiceBus",
                "accounting"
            ),
            new(
                "handed out three times where a fault asked for two",
                run =>
                {
                    run.Journal.Add(new FaultInjected("twice", "eventDeliver", "duplicate", $"hub/$Default/0/{run.Middle.Offset}"));
                    HandAgain(run, "link-0");
                    HandAgain(run, "link-0");
                },
                "duplicateServiceBus",
                "accounting"
            ),
            new(
                "handed out on a link that begins behind it",
                run =>
                {
                    Open(run);
                    run.Journal.Add(Attach(run, "link-1", 16));
                    Hand(run, "link-1", 15, 20);
                    Finish(run);
                },
                "accounting"
            ),
        ];
}
