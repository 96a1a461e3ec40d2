using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Second copies of messages and blobs.</summary>
internal static class CopyMutants
{
    private const string Duplicate = "duplicateServiceBus";

    private static readonly ConnectionCut OurCut = new("1");
    private static readonly FaultInjected Drop = new("F6", "connect", "drop", "servicebus");

    private static readonly WriteMoment[] Moments = [WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Answered];

    public static IEnumerable<Mutant> All =>
        [
            new("a copy that a redelivery explains", run => run.AddCopy(redelivered: true)),
            new("a copy that nothing explains", run => run.AddCopy(redelivered: false), Duplicate),
            new(
                "one copy more than redeliveries",
                run =>
                {
                    run.AddCopy(redelivered: true);
                    run.AddCopy(redelivered: false);
                },
                Duplicate
            ),
            new("a copy that was dropped by duplicate detection", run => run.AddCopy(redelivered: false, copy => copy with { Deduplicated = true })),
            new(
                "a copy after an answer that was cut",
                run =>
                {
                    Answer(run, except: run.Middle);
                    run.AddCopy(redelivered: false);
                }
            ),
            new(
                "a copy after every answer was given",
                run =>
                {
                    Answer(run, except: null);
                    run.AddCopy(redelivered: false);
                    Answer(run);
                },
                Duplicate
            ),
            new(
                "a copy that a fault made",
                run =>
                {
                    Injected(run, run.Middle.MessageId);
                    run.AddCopy(redelivered: false);
                }
            ),
            new(
                "a copy that a fault made of another message",
                run =>
                {
                    Injected(run, run.Of(0, 8).MessageId);
                    run.AddCopy(redelivered: false);
                },
                Duplicate
            ),
            new(
                "a copy after a fault that made none",
                run =>
                {
                    Injected(run, run.Middle.MessageId, "delay");
                    run.AddCopy(redelivered: false);
                },
                Duplicate
            ),
            new(
                "one copy more than the fault made",
                run =>
                {
                    Injected(run, run.Middle.MessageId);
                    run.AddCopy(redelivered: false);
                    run.AddCopy(redelivered: false);
                },
                Duplicate
            ),
            new("a blob stored again", run => run.Journal.AddRange([run.Middle.Blob(WriteMoment.Begun), run.Middle.Blob(WriteMoment.Stored)]), "duplicateBlob"),
            new("a blob stored again without having arrived", run => run.Journal.Add(run.Middle.Blob(WriteMoment.Stored)), "duplicateBlob", "accounting"),
            new("a message that never arrived", run => run.Journal.RemoveAt(run.MessageAt(run.Middle, WriteMoment.Begun)), "accounting"),
            new("a blob that never arrived", run => run.Journal.RemoveAt(run.BlobAt(run.Middle, WriteMoment.Begun)), "accounting"),
            new(
                "a message stored before it arrived",
                run => Exchange(run, run.MessageAt(run.Middle, WriteMoment.Begun), run.MessageAt(run.Middle)),
                "accounting"
            ),
            new(
                "a second copy stored of a message that arrived once, its answer unheard",
                run =>
                {
                    Answer(run, except: run.Middle);
                    run.Journal.Insert(run.MessageAt(run.Middle), run.Middle.Message(WriteMoment.Stored));
                },
                "accounting"
            ),
            new(
                "begun before it was delivered",
                run => Exchange(run, run.IndexOf(run.Middle, static record => record is EventDelivered), run.MessageAt(run.Middle, WriteMoment.Begun)),
                "accounting"
            ),
            new("a blob written over", run => run.ChangeBlob(blob => blob with { Overwrote = true }), "duplicateBlob"),
            new("an upload that finds its blob", run => run.Journal.Add(run.Middle.Blob(WriteMoment.Begun))),
            new("a copy after its connection was cut", run => CopyAfter(run, new FaultInjected("F6", "connect", "drop", "servicebus"))),
            new("a copy after its link was detached", run => CopyAfter(run, new FaultInjected("F6", "messageSend", "detach", "QUEUE/hub-0-3"))),
            new("a copy after the emulator started again", run => CopyAfter(run, new EmulatorStarted())),
            new("a copy after a fault that cuts nothing", run => CopyAfter(run, new FaultInjected("F6", "connect", "delay", "servicebus")), Duplicate),
            new("a copy after another connection was cut", run => CopyAfter(run, new FaultInjected("F6", "connect", "drop", "eventhubs")), Duplicate),
            new("a copy after the connection was cut within a second of the answer", run => CutAfterAnswer(run, OurCut, 1_000_000)),
            new("a copy after the connection was cut more than a second after the answer", run => CutAfterAnswer(run, OurCut, 1_000_001), Duplicate),
            new("a copy after the emulator started again within a second of the answer", run => CutAfterAnswer(run, new EmulatorStarted(), 1_000_000)),
            new("a copy after the emulator started again, long after the answer", run => CutAfterAnswer(run, new EmulatorStarted(), 1_000_001), Duplicate),
            new("a copy of an answered message after a fault that did not cut its connection", run => CutAfterAnswer(run, Drop, 0), Duplicate),
            new("a copy of an answered message after another connection was cut", run => CutAfterAnswer(run, new ConnectionCut("3"), 0), Duplicate),
            new(
                "a copy of a message whose connection was cut before its answer was told",
                run =>
                {
                    CutAfterAnswer(run, OurCut, 0);
                    var cut = run.Journal.IndexOf(OurCut);
                    Exchange(run, cut, cut - 1);
                }
            ),
            new(
                "a copy of an answered message before its connection was cut",
                run =>
                {
                    CutAfterAnswer(run, OurCut, 0);
                    run.Journal.Remove(OurCut);
                    run.Journal.Add(OurCut);
                },
                Duplicate
            ),
            new(
                "two copies after the connection was cut within a second of the answer",
                run =>
                {
                    CutAfterAnswer(run, OurCut, 0);
                    run.Journal.AddRange(Moments.Select(moment => run.Middle.Message(moment) with { Connection = "2" }));
                },
                Duplicate
            ),
            new(
                "a copy before its connection was cut",
                run =>
                {
                    Answered(run);
                    AddAnswered(run);
                    Cut(run, "drop", "servicebus");
                },
                Duplicate
            ),
            new(
                "two copies after one cut",
                run =>
                {
                    CopyAfter(run, new FaultInjected("F6", "connect", "drop", "servicebus"));
                    AddAnswered(run);
                },
                Duplicate
            ),
            new("two copies by the owner that came after one that began nothing", run => TwoOwners(run, "1", "1"), Duplicate),
            new("two copies by two owners, the first of which began late", run => TwoOwners(run, "1", "2")),
            new("two copies by two owners over connections that are not named", run => TwoOwners(run, null, null), Duplicate),
            new(
                "two copies by two owners, one stored while the other is under way",
                run =>
                {
                    TwoOwners(run, "1", "2");
                    var at = run.Journal.FindLastIndex(record => record is MessageWritten { Moment: WriteMoment.Begun, Connection: "2" });
                    var begun = run.Journal[at];
                    run.Journal.RemoveAt(at);
                    run.Journal.Insert(run.Journal.FindLastIndex(record => record is MessageWritten { Moment: WriteMoment.Stored, Connection: "1" }), begun);
                }
            ),
            new(
                "a slow copy that is stored behind that of the next owner",
                run =>
                {
                    Answer(run, except: run.Middle);
                    var stored = run.MessageAt(run.Middle);
                    var begun = run.MessageAt(run.Middle, WriteMoment.Begun);
                    run.Journal.RemoveAt(stored);
                    run.Journal[begun] = (MessageWritten)run.Journal[begun] with { Connection = "1" };
                    run.Redeliver();
                    run.Journal.AddRange(
                        Moments
                            .Select(moment => run.Middle.Message(moment) with { Connection = "2" })
                            .Append(run.Middle.Message(WriteMoment.Stored) with { Connection = "1" })
                    );
                    run.CheckpointAtTheEnd();
                }
            ),
            new("two copies by an owner that was given the event twice, over one old connection", run => GivenAgain(run, old: true)),
            new("two copies by an owner that was given the event twice, over one new connection", run => GivenAgain(run, old: false), Duplicate),
            new("a copy by the owner that came while the first one wrote", run => Robbed(run, "2")),
            new("a copy by the owner that came while the first one wrote, and one more by that one", run => Robbed(run, "1", "2"), Duplicate),
            new("two copies by the owner that came while the first one wrote", run => Robbed(run, "2", "2"), Duplicate),
            new("three copies by two owners", run => TwoOwners(run, "1", "2", "3"), Duplicate),
            new("a copy a second after one without an answer", run => AddCopies(run, answeredAt: 1_300_000, againAt: 1_100_000)),
            new("a copy that came within the second", run => AddCopies(run, answeredAt: 1_300_000, againAt: 900_000), Duplicate),
            new("a copy after an answer that took a second", run => AddCopies(run, answeredAt: 1_000_000, againAt: 1_100_000), Duplicate),
            new("a copy of what arrived when the emulator continued", run => Stood(run, 0, 5_000_000)),
            new("a copy of what arrived a second after the emulator continued", run => Stood(run, 1_000_000, 1_000_001)),
            new("a copy of what arrived more than a second after the emulator continued", run => Stood(run, 1_000_001, 1_000_002), Duplicate),
            new("a copy of what was answered when the emulator stopped", run => Stood(run, -40_000_000, 0)),
            new("a copy of what was answered before the emulator stopped", run => Stood(run, -40_000_001, 0), Duplicate),
            new("two copies of what arrived when the emulator continued, of which the first one arrived then too", run => Stood(run, 0, 1, 5_000_000)),
            new("two copies of what arrived when the emulator continued", run => Stood(run, 0, 5_000_000, 6_000_000), Duplicate),
            new("a copy long after an answer in time", run => AddCopies(run, answeredAt: 900_000, againAt: 5_000_000), Duplicate),
        ];

    /// <summary>A copy that begins after something has happened and before the first message is answered.</summary>
    private static void CopyAfter(MutableRun run, JournalRecord cause)
    {
        Answer(run, except: run.Middle);
        run.Journal.AddRange([
            cause,
            run.Middle.Message(WriteMoment.Begun),
            run.Middle.Message(WriteMoment.Answered),
            run.Middle.Message(WriteMoment.Stored),
            run.Middle.Message(WriteMoment.Answered),
        ]);
    }

    /// <summary>
    /// A message over one connection is answered, something happens after a number of microseconds, and it comes again over the next connection.
    /// </summary>
    private static void CutAfterAnswer(MutableRun run, JournalRecord cause, long later)
    {
        Answered(run);
        run.Redeliver();
        run.Journal.AddRange(Moments.Select(moment => run.Middle.Message(moment) with { Connection = "1" }));
        run.Journal.Add(cause with { Microseconds = later });
        run.Journal.AddRange(Moments.Select(moment => run.Middle.Message(moment) with { Connection = "2" }));
        run.CheckpointAtTheEnd();
    }

    /// <summary>An owner is given the event and does not begin, the next one is given it, and then it is written over these connections.</summary>
    private static void TwoOwners(MutableRun run, params string?[] connections)
    {
        Answer(run, except: run.Middle);
        var first = run.MessageAt(run.Middle, WriteMoment.Begun);
        run.Journal.RemoveAt(run.MessageAt(run.Middle));
        run.Journal.RemoveAt(first);
        run.Redeliver();
        foreach (var connection in connections)
        {
            run.Journal.AddRange(Moments.Select(moment => run.Middle.Message(moment) with { Connection = connection }));
        }

        run.CheckpointAtTheEnd();
    }

    /// <summary>
    /// The next owner is given the event while the first one writes it, and then it is written over these connections. The first one has connection
    /// 1.
    /// </summary>
    private static void Robbed(MutableRun run, params string[] connections)
    {
        Answer(run, except: run.Middle);
        run.WithoutCheckpoints();
        run.Journal.RemoveAt(run.MessageAt(run.Middle));
        var begun = run.MessageAt(run.Middle, WriteMoment.Begun);
        run.Journal[begun] = run.Middle.Message(WriteMoment.Begun) with { Connection = "1" };
        run.Journal.InsertRange(
            begun + 1,
            [
                run.Middle.Attach("link-1"),
                run.Middle.Deliver("link-1"),
                .. Moments.Skip(1).Select(moment => run.Middle.Message(moment) with { Connection = "1" }),
                .. connections.SelectMany(connection => Moments.Select(moment => run.Middle.Message(moment) with { Connection = connection })),
            ]
        );
        run.CheckpointAtTheEnd();
    }

    /// <summary>An owner that has written nothing yet is given the event on two links, and writes it twice over one connection.</summary>
    private static void GivenAgain(MutableRun run, bool old)
    {
        Answer(run, except: run.Middle);
        var first = run.MessageAt(run.Middle, WriteMoment.Begun);
        run.Journal.RemoveAt(run.MessageAt(run.Middle));
        run.Journal.RemoveAt(first);
        run.WithoutCheckpoints();
        run.Journal.Add(new OwnershipWritten("checkpoints", GoodRun.Hub, GoodRun.Group, "0", "owner", null, "o1"));
        foreach (var link in (string[])["link-1", "link-2"])
        {
            run.Journal.AddRange([run.Middle.Attach(link) with { ClientId = "P-owner" }, run.Middle.Deliver(link)]);
            if (old && link == "link-1")
            {
                var early = run.MessageAt(run.Of(0, 5), WriteMoment.Begun);
                run.Journal[early] = (MessageWritten)run.Journal[early] with { Connection = "1" };
            }
        }

        run.Journal.AddRange(Moments.Concat(Moments).Select(moment => run.Middle.Message(moment) with { Connection = "1" }));
        run.CheckpointAtTheEnd();
    }

    private static void Exchange(MutableRun run, int first, int second) =>
        (run.Journal[first], run.Journal[second]) = (run.Journal[second], run.Journal[first]);

    /// <summary>Every message is answered.</summary>
    public static void Answered(MutableRun run) => Answer(run, except: null);

    private static void AddAnswered(MutableRun run)
    {
        run.AddCopy(redelivered: false);
        Answer(run);
    }

    /// <summary>Two copies after a delivery, which explains one of them. The moments are microseconds since the first began.</summary>
    private static void AddCopies(MutableRun run, long answeredAt, long againAt)
    {
        const long begun = 1_000_000_000;
        Answered(run);
        run.Redeliver();
        (JournalRecord Record, long Moment)[] copies =
        [
            (run.Middle.Message(WriteMoment.Begun), 0),
            (run.Middle.Message(WriteMoment.Stored), 0),
            (run.Middle.Message(WriteMoment.Answered), answeredAt),
            (run.Middle.Message(WriteMoment.Begun), againAt),
            (run.Middle.Message(WriteMoment.Stored), againAt),
            (run.Middle.Message(WriteMoment.Answered), Math.Max(answeredAt, againAt)),
        ];
        run.Journal.AddRange(copies.OrderBy(static copy => copy.Moment).Select(static copy => copy.Record with { Microseconds = begun + copy.Moment }));
        run.CheckpointAtTheEnd();
    }

    /// <summary>The emulator is paused for 40 s, and the message comes at these microseconds after that. A delivery explains the first of them.</summary>
    private static void Stood(MutableRun run, params long[] begun)
    {
        const long Continued = 1_000_000_000;
        Answered(run);
        run.Redeliver();
        JournalRecord[] records =
        [
            new EmulatorPaused(40_000_000) { Microseconds = Continued },
            .. begun.SelectMany(time => Moments.Select(moment => run.Middle.Message(moment) with { Microseconds = Continued + time })),
        ];
        run.Journal.AddRange(records.OrderBy(static record => record.Microseconds));
        run.CheckpointAtTheEnd();
    }

    /// <summary>A fault cuts what goes to a target.</summary>
    public static void Cut(MutableRun run, string action, string target) => run.Journal.Add(new FaultInjected("F6", "connect", action, target));

    private static void Injected(MutableRun run, string messageId, string action = "duplicate") =>
        run.Journal.Add(new FaultInjected("twice", "messageSend", action, $"queue/{messageId}"));

    /// <summary>Every message is answered but that of one event.</summary>
    public static void Answer(MutableRun run, SimulatedEvent? except)
    {
        foreach (var simulated in run.Events.Where(simulated => simulated != except))
        {
            run.Journal.Insert(run.MessageAt(simulated) + 1, simulated.Message(WriteMoment.Answered));
        }
    }

    private static void Answer(MutableRun run) => run.Journal.Add(run.Middle.Message(WriteMoment.Answered));
}
