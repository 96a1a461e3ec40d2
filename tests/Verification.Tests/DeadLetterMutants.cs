using System.Text;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Dead letters: what they say of their event, and the sinks that they name.</summary>
internal static class DeadLetterMutants
{
    private const string Ahead = "checkpointAhead";

    public static IEnumerable<Mutant> All =>
        [
            new("a dead letter with a reason", run => DeadLetter(run, "too large")),
            new("a dead letter without a reason", run => DeadLetter(run, ""), "lost", Ahead),
            new(
                "a dead letter after the checkpoint",
                run =>
                {
                    DeadLetter(run, "too large");
                    MoveDeadLetterToEnd(run);
                },
                Ahead
            ),
            new("a dead letter without a hash", run => DeadLetter(run, "too large", ""), "corrupt"),
            new(
                "a dead letter that holds other bytes than it says",
                run =>
                {
                    DeadLetter(run, "too large");
                    var at = run.Journal.FindIndex(record => record is BlobWritten { Container: "deadletters" });
                    run.Journal[at] = (BlobWritten)run.Journal[at] with { Sha256 = SimulatedEvent.Hash("other") };
                },
                "corrupt"
            ),
            new("a dead letter with other properties", run => DeadLetter(run, With("Properties", "b3RoZXI=")), "corrupt"),
            new("a dead letter without its properties", run => DeadLetter(run, With("Properties", "")), "corrupt"),
            new(
                "a dead letter whose properties are beside it",
                run =>
                {
                    DeadLetter(run, With("Properties", ".properties"));
                    run.Journal.Add(run.Middle.Supplement());
                }
            ),
            new("a dead letter whose properties are missing beside it", run => DeadLetter(run, With("Properties", ".properties")), "corrupt"),
            new(
                "a dead letter with other properties in its second blob",
                run =>
                {
                    DeadLetter(run, With("Properties", ".properties"));
                    run.Journal.Add(run.Middle.Supplement() with { Sha256 = SimulatedEvent.Hash("other") });
                },
                "corrupt"
            ),
            new(
                "a dead letter whose properties in its second blob were removed",
                run =>
                {
                    DeadLetter(run, With("Properties", ".properties"));
                    run.Journal.Add(run.Middle.Supplement());
                    run.Journal.Add(new BlobDeleted("deadletters", run.Middle.Supplement().Name, "e1"));
                },
                "corrupt"
            ),
            new("a dead letter of another partition in its metadata", run => DeadLetter(run, With("Partition", "1")), "corrupt"),
            new("a dead letter of another sequence number in its metadata", run => DeadLetter(run, With("Sequence", "8")), "corrupt"),
            new("a dead letter of another offset in its metadata", run => DeadLetter(run, With("Offset", "ODAwMA==")), "corrupt"),
            new("a dead letter of its partition key", run => DeadLetter(run, With("PartitionKey", Base64(run.Middle.Key!)))),
            new("a dead letter of another partition key in its metadata", run => DeadLetter(run, With("PartitionKey", Base64("another"))), "corrupt"),
            new("a dead letter of a partition key that is no text", run => DeadLetter(run, With("PartitionKey", "?")), "corrupt"),
            new("a dead letter of an event without a content type", run => DeadLetterUntyped(run, With("Untyped", "1"))),
            new("a dead letter that does not say that its event has no content type", run => DeadLetterUntyped(run, static letter => letter), "corrupt"),
            new("a dead letter that says that its event has no content type, which has one", run => DeadLetter(run, With("Untyped", "1")), "corrupt"),
            new("a dead letter with a kind of body that is none", run => DeadLetter(run, With("BodyKind", "Text")), "corrupt"),
            new("a dead letter with the kind of another body", run => DeadLetter(run, With("BodyKind", "Value")), "corrupt"),
            new("a dead letter with the kind of its body", run => DeadLetter(run, With("BodyKind", "Data"))),
            new("a dead letter with its hash in capital letters", run => DeadLetter(run, InCapitals), "corrupt"),
            new("a blob with its hash in capital letters", run => run.ChangeBlob(InCapitals), "corrupt"),
            new("a blob with its hash as the journal has it", run => run.ChangeBlob(AsInTheJournal), "corrupt"),
            new("a dead letter with a time that is none", run => DeadLetter(run, With("Enqueued", "yesterday")), "corrupt"),
            new("a claim without a limit", run => DeadLetter(run, With("Redrive", "first")), "corrupt"),
            new("a claim with a limit", run => DeadLetter(run, letter => With("RedriveLimit", "60000")(With("Redrive", "first")(letter)))),
            new("a claim with a limit of no time", run => DeadLetter(run, letter => With("RedriveLimit", "0")(With("Redrive", "first")(letter))), "corrupt"),
            new("a dead letter with another content type", run => DeadLetter(run, letter => letter with { ContentType = "text/plain" }), "corrupt"),
            new(
                "a dead letter whose content type no header could bring",
                run => DeadLetter(run, letter => With("ContentType", Convert.ToBase64String("application/json"u8))(letter) with { ContentType = null })
            ),
            new(
                "a dead letter of an event that is no row",
                run =>
                {
                    DeadLetter(run, "too large");
                    run.Ledger.RemoveAll(row => row.Index == run.Middle.Index);
                },
                "unexpected"
            ),
            new(
                "properties beside a dead letter",
                run =>
                {
                    DeadLetter(run, "too large");
                    run.Journal.Add(run.Middle.DeadLetter() with { Name = run.Middle.BlobName + ".properties", Sha256 = SimulatedEvent.Hash("other") });
                }
            ),
            new(
                "properties beside no dead letter",
                run =>
                {
                    run.DropSinks(run.Middle);
                    run.Journal.Add(run.Middle.DeadLetter() with { Name = run.Middle.BlobName + ".properties" });
                },
                "lost",
                Ahead
            ),
            new(
                "properties beside a dead letter of no event",
                run => run.Journal.Add(run.Middle.DeadLetter() with { Name = "hub/0/oops.properties" }),
                "unexpected"
            ),
            new("a dead letter of no event", run => run.Journal.Add(run.Middle.DeadLetter() with { Name = "hub/0/oops" }), "unexpected"),
            new("a dead letter before its event", run => run.Journal.Insert(0, run.Middle.DeadLetter()), "unexpected"),
            new(
                "a dead letter before its event was delivered",
                run =>
                {
                    DeadLetter(run, "too large");
                    var letter = run.Journal.Single(static record => record is BlobWritten { Container: "deadletters" });
                    run.Journal.Remove(letter);
                    run.Journal.Insert(
                        run.Journal.FindIndex(record =>
                            record is EventDelivered { Partition: "0" } && ((EventDelivered)record).Sequence == run.Middle.Sequence
                        ),
                        letter
                    );
                },
                "accounting"
            ),
            new("a dead letter that names no sink", run => DeadLetter(run, With("Sinks", "")), "lost", Ahead),
            new("a dead letter that names another sink", run => DeadLetter(run, With("Sinks", "elsewhere")), "lost", Ahead),
            new("a dead letter that names one of the sinks", run => DeadLetter(run, With("Sinks", "servicebus")), "lost", Ahead),
            new("a dead letter that names the other sink", run => GiveUp(run, "blob"), "lost", "redundantDeadLetters", Ahead),
            new("a message that was given up and a blob that was written", run => GiveUp(run, "servicebus")),
            new("a dead letter that names both sinks in other letters", run => DeadLetter(run, With("Sinks", "%73ervicebus,%62lob"))),
            new("a dead letter of an event that is written as well", run => run.Journal.Add(run.Middle.DeadLetter()), "redundantDeadLetters"),
            new("a dead letter that names sinks which are written afterwards", run => GiveUpFirst(run, "servicebus,blob"), "redundantDeadLetters"),
            new("a dead letter that names the queue, which is written afterwards", run => GiveUpFirst(run, "servicebus"), "redundantDeadLetters"),
            new("a dead letter that names the archive, which is written afterwards", run => GiveUpFirst(run, "blob"), "redundantDeadLetters"),
            new(
                "a dead letter of sinks whose writes had begun and end afterwards",
                run =>
                {
                    var blob = run.Journal[run.BlobAt(run.Middle, WriteMoment.Begun)];
                    run.Journal.Remove(blob);
                    run.Journal.InsertRange(run.MessageAt(run.Middle), [blob, run.Middle.DeadLetter()]);
                }
            ),
            new(
                "a dead letter that names the queue, which refused the first write and takes one that begins afterwards",
                run => run.Journal.InsertRange(run.MessageAt(run.Middle), [run.Middle.DeadLetter(sinks: "servicebus"), run.Middle.Message(WriteMoment.Begun)]),
                "redundantDeadLetters"
            ),
            new(
                "a dead letter that names the archive, which refused the first upload and takes one that begins afterwards",
                run => run.Journal.InsertRange(run.BlobAt(run.Middle), [run.Middle.DeadLetter(sinks: "blob"), run.Middle.Blob(WriteMoment.Begun)]),
                "redundantDeadLetters"
            ),
            new(
                "a dead letter of sinks that the next owner writes",
                run =>
                {
                    GiveUpFirst(run, "servicebus,blob", run.Middle.Attach("link-1"), run.Middle.Deliver("link-1"));
                    run.CheckpointAtTheEnd();
                }
            ),
            new(
                "a dead letter of sinks that a redrive writes",
                run => GiveUpFirst(run, "servicebus,blob", With("RedriveLimit", "60000")(With("Redrive", "first")(run.Middle.DeadLetter())))
            ),
            new(
                "a dead letter of a message without an answer",
                run =>
                {
                    CopyMutants.Answer(run, except: run.Middle);
                    run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
                }
            ),
            new(
                "a dead letter of a message that was answered",
                run =>
                {
                    CopyMutants.Answered(run);
                    run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
                },
                "redundantDeadLetters"
            ),
            new(
                "a dead letter of a message that was answered late",
                run =>
                {
                    CopyMutants.Answer(run, except: run.Middle);
                    run.Journal.Add(run.Middle.Message(WriteMoment.Answered) with { Microseconds = 1_000_000 });
                    run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
                }
            ),
            new("a dead letter between a message and its answer in time", run => BeforeTheAnswer(run, answered: 999_999), "redundantDeadLetters"),
            new("a dead letter between a message and its late answer", run => BeforeTheAnswer(run, answered: 1_000_000)),
            new(
                "a dead letter of a message that is on its way and is answered in time",
                run =>
                {
                    CopyMutants.Answered(run);
                    run.Journal.Insert(run.MessageAt(run.Middle), run.Middle.DeadLetter(sinks: "servicebus"));
                },
                "redundantDeadLetters"
            ),
            new("a dead letter of what arrived when the emulator continued", run => Stood(run, later: 0)),
            new("a dead letter of what arrived a second after the emulator continued", run => Stood(run, later: 1_000_000)),
            new("a dead letter of what arrived more than a second after the emulator continued", run => Stood(run, later: 1_000_001), "redundantDeadLetters"),
            new("a dead letter by an owner that could not write what another one has written", run => ByAnotherOwner(run, hasTried: true)),
            new("a dead letter where another owner was given the event and tried nothing", run => ByAnotherOwner(run, hasTried: false), "redundantDeadLetters"),
            new(
                "a dead letter of a message that the next owner could not write",
                run =>
                {
                    CopyMutants.Answered(run);
                    run.Redeliver();
                    run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
                    run.CheckpointAtTheEnd();
                }
            ),
            new(
                "a dead letter of a blob that was uploaded again",
                run => run.Journal.AddRange([run.Middle.Blob(WriteMoment.Begun), run.Middle.DeadLetter(sinks: "blob")])
            ),
            new("a dead letter of a blob that was uploaded once", run => run.Journal.Add(run.Middle.DeadLetter(sinks: "blob")), "redundantDeadLetters"),
            new(
                "a dead letter of a blob after its connection was cut",
                run =>
                {
                    CopyMutants.Cut(run, "drop", $"archive/{run.Middle.BlobName}");
                    var at = run.Journal.Count - 1;
                    var cut = run.Journal[at];
                    run.Journal.RemoveAt(at);
                    run.Journal.Insert(run.BlobAt(run.Middle), cut);
                    run.Journal.Add(run.Middle.DeadLetter(sinks: "blob"));
                }
            ),
            new(
                "a dead letter that was only begun",
                run =>
                {
                    run.DropSinks(run.Middle);
                    run.Journal.Add(run.Middle.DeadLetter() with { Moment = WriteMoment.Begun });
                },
                "lost",
                Ahead
            ),
            new(
                "a dead letter with another length than its body's",
                run =>
                {
                    DeadLetter(run, "too large");
                    var at = run.Journal.FindIndex(record => record is BlobWritten { Container: "deadletters" });
                    var letter = (BlobWritten)run.Journal[at];
                    run.Journal[at] = letter with { Metadata = new Dictionary<string, string>(letter.Metadata!) { ["Length"] = "3" } };
                },
                "corrupt"
            ),
            new("dead letters in the archive", run => run.Scope = run.Scope with { DeadLetterContainer = "archive" }, "lost", Ahead),
            new("a dead letter of other bytes", run => DeadLetter(run, "too large", SimulatedEvent.Hash("other")), "corrupt"),
        ];

    private static void DeadLetter(MutableRun run, string reason, string? sha256 = null)
    {
        var at = run.MessageAt(run.Middle, WriteMoment.Begun);
        run.DropSinks(run.Middle);
        run.Journal.Insert(at, run.Middle.DeadLetter(reason, sha256));
    }

    /// <summary>The message is never written, and the dead letter names the sinks.</summary>
    private static void GiveUp(MutableRun run, string sinks)
    {
        run.Journal.RemoveAt(run.MessageAt(run.Middle));
        run.Journal.Insert(run.BlobAt(run.Middle, WriteMoment.Begun), run.Middle.DeadLetter(sinks: sinks));
    }

    /// <summary>The dead letter is stored before the event is written, and other records after it.</summary>
    private static void GiveUpFirst(MutableRun run, string sinks, params JournalRecord[] then) =>
        run.Journal.InsertRange(run.MessageAt(run.Middle, WriteMoment.Begun), [run.Middle.DeadLetter(sinks: sinks), .. then]);

    private static void DeadLetter(MutableRun run, Func<BlobWritten, BlobWritten> change)
    {
        DeadLetter(run, "too large");
        var at = run.Journal.FindIndex(record => record is BlobWritten { Container: "deadletters" });
        run.Journal[at] = change((BlobWritten)run.Journal[at]);
    }

    private static void DeadLetterUntyped(MutableRun run, Func<BlobWritten, BlobWritten> change)
    {
        run.ChangeAppend(appended => appended with { ContentType = null });
        DeadLetter(run, letter => change(letter with { ContentType = "application/octet-stream" }));
    }

    /// <summary>The dead letter names the queue when the message is stored. The answer comes this number of microseconds after the message.</summary>
    private static void BeforeTheAnswer(MutableRun run, long answered)
    {
        CopyMutants.Answer(run, except: run.Middle);
        run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
        run.Journal.Add(run.Middle.Message(WriteMoment.Answered) with { Microseconds = answered });
    }

    /// <summary>Message, blob and a dead letter that names both arrive this number of microseconds after the emulator continues.</summary>
    private static void Stood(MutableRun run, long later)
    {
        const long Continued = 1_000_000_000;
        CopyMutants.Answered(run);
        run.Journal.RemoveAll(record => record is MessageWritten message && message.MessageId == run.Middle.MessageId);
        run.Journal.RemoveAll(record => record is BlobWritten blob && blob.Name == run.Middle.BlobName);
        JournalRecord[] records =
        [
            .. Enum.GetValues<WriteMoment>().Select(moment => run.Middle.Message(moment)),
            run.Middle.Blob(WriteMoment.Begun),
            run.Middle.Blob(WriteMoment.Stored),
            run.Middle.DeadLetter(),
        ];
        run.Journal.Add(new EmulatorPaused(40_000_000) { Microseconds = Continued });
        run.Journal.AddRange(records.Select(record => record with { Microseconds = Continued + later }));
        run.CheckpointAtTheEnd();
    }

    /// <summary>Two owners are given the event before one of them writes it, and a dead letter names the queue afterwards.</summary>
    private static void ByAnotherOwner(MutableRun run, bool hasTried)
    {
        CopyMutants.Answered(run);
        run.WithoutCheckpoints();
        run.Journal.InsertRange(run.MessageAt(run.Middle, WriteMoment.Begun), [run.Middle.Attach("link-1"), run.Middle.Deliver("link-1")]);
        if (hasTried)
        {
            run.Journal.Add(run.Middle.Message(WriteMoment.Begun) with { Connection = "2" });
        }

        run.Journal.Add(run.Middle.DeadLetter(sinks: "servicebus"));
        run.CheckpointAtTheEnd();
    }

    private static BlobWritten InCapitals(BlobWritten blob) => WithHash(blob, blob.Sha256!.ToUpperInvariant());

    private static BlobWritten AsInTheJournal(BlobWritten blob) =>
        WithHash(blob, System.Buffers.Text.Base64Url.EncodeToString(Convert.FromHexString(blob.Sha256!)));

    private static BlobWritten WithHash(BlobWritten blob, string hash)
    {
        var name = blob.Metadata!.Keys.Single(static name => name.Equals("sha256", StringComparison.OrdinalIgnoreCase));
        return blob with { Metadata = new Dictionary<string, string>(blob.Metadata) { [name] = hash } };
    }

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static Func<BlobWritten, BlobWritten> With(string name, string value) =>
        letter => letter with { Metadata = new Dictionary<string, string>(letter.Metadata!) { [name] = value } };

    private static void MoveDeadLetterToEnd(MutableRun run)
    {
        var record = run.Journal.First(record => record is BlobWritten { Container: "deadletters" });
        run.Journal.Remove(record);
        run.Journal.Add(record);
    }
}
