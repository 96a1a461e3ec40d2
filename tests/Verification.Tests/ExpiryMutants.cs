using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What retention takes away, and accounts that do not add up.</summary>
internal static class ExpiryMutants
{
    private const string Ahead = "checkpointAhead";
    private const string Expired = "expired";

    public static IEnumerable<Mutant> All =>
        [
            new(
                "expired before it was delivered",
                run =>
                {
                    Gone(run);
                    Expire(run, run.Middle, atOnce: true);
                },
                Expired
            ),
            new(
                "expired, and that is accepted",
                run =>
                {
                    Accept(run);
                    Gone(run);
                    Expire(run, run.Middle, atOnce: true);
                }
            ),
            new(
                "expired, told before any event of the partition",
                run =>
                {
                    Accept(run);
                    Gone(run);
                    run.Journal.Insert(0, new EventExpired(GoodRun.Hub, run.Middle.Partition, run.Middle.Sequence));
                }
            ),
            new(
                "expired after the checkpoint that passed it",
                run =>
                {
                    Accept(run);
                    Gone(run);
                    Expire(run, run.Middle, atOnce: false);
                },
                Ahead
            ),
            new(
                "expired after it was delivered and lost",
                run =>
                {
                    run.DropSinks(run.Middle);
                    Expire(run, run.Middle, atOnce: false);
                },
                "lost",
                Ahead
            ),
            new("expired after it was complete", run => Expire(run, run.Middle, atOnce: false)),
            new(
                "another event expired",
                run =>
                {
                    Gone(run);
                    Expire(run, run.Of(0, 8), atOnce: true);
                },
                "lost",
                Ahead
            ),
            new(
                "expired in another hub",
                run =>
                {
                    Gone(run);
                    run.Journal.Add(new EventExpired("other", "0", run.Middle.Sequence));
                },
                "lost",
                Ahead
            ),
            new(
                "an expired one in front of one that began in time",
                run =>
                {
                    Accept(run);
                    Gone(run);
                    Expire(run, run.Middle, atOnce: true);
                }
            )
            {
                Promise = OrderPromise.Partition,
            },
            new("complete and never delivered", run => run.Journal.RemoveAll(record => Delivers(record, run.Middle)), "accounting"),
            new(
                "complete and never delivered to our group",
                run =>
                {
                    var at = run.Journal.FindIndex(record => Delivers(record, run.Middle));
                    run.Journal[at] = (EventDelivered)run.Journal[at] with { Group = "other" };
                },
                "accounting"
            ),
            new(
                "sent twice, one of them complete",
                run =>
                {
                    Accept(run);
                    Twice(run);
                    Expire(run, Again(run), atOnce: false);
                }
            ),
            new(
                "sent twice, the other complete",
                run =>
                {
                    Accept(run);
                    Twice(run);
                    Gone(run);
                    Expire(run, run.Middle, atOnce: true);
                    Complete(run);
                }
            ),
            new(
                "sent twice, none complete",
                run =>
                {
                    Twice(run);
                    Gone(run);
                    run.Journal.Add(Again(run).Checkpoint());
                },
                "lost",
                Ahead
            ),
        ];

    private static SimulatedEvent Again(MutableRun run) => run.Middle with { Sequence = MutableRun.PerPartition };

    /// <summary>The sender had no answer and sent the event again: one row, two events of the hub.</summary>
    private static void Twice(MutableRun run) => run.Journal.Add(Again(run).Append());

    private static void Complete(MutableRun run) => run.Journal.AddRange([.. MutableRun.Records(Again(run)), Again(run).Checkpoint()]);

    private static void Accept(MutableRun run) => run.Scope = run.Scope with { AcceptsExpired = true };

    /// <summary>The event was neither delivered nor written.</summary>
    private static void Gone(MutableRun run)
    {
        run.DropSinks(run.Middle);
        run.Journal.RemoveAll(record => Delivers(record, run.Middle));
    }

    private static void Expire(MutableRun run, SimulatedEvent simulated, bool atOnce)
    {
        var record = new EventExpired(GoodRun.Hub, simulated.Partition, simulated.Sequence);
        run.Journal.Insert(atOnce ? run.Events.Count : run.Journal.Count, record);
    }

    private static bool Delivers(JournalRecord record, SimulatedEvent simulated) =>
        record is EventDelivered delivered && delivered.Partition == simulated.Partition && delivered.Sequence == simulated.Sequence;
}
