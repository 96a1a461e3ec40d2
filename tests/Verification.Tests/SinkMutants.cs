using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What can go wrong with the copies at the sinks.</summary>
internal static class SinkMutants
{
    private const string Lost = "lost";
    private const string Ahead = "checkpointAhead";
    private const string Unexpected = "unexpected";
    private const string Corrupt = "corrupt";

    public static IEnumerable<Mutant> All => [.. LostOnes, .. UnexpectedOnes, .. CorruptOnes];

    private static IEnumerable<Mutant> LostOnes =>
        [
            new(
                "one message dropped",
                run =>
                {
                    run.CheckpointAtTheEnd();
                    run.Journal.RemoveAt(run.MessageAt(run.Middle));
                },
                Lost,
                Ahead
            ),
            new(
                "one blob dropped",
                run =>
                {
                    run.CheckpointAtTheEnd();
                    run.Journal.RemoveAt(run.BlobAt(run.Middle));
                },
                Lost,
                Ahead
            ),
            new(
                "both dropped",
                run =>
                {
                    run.CheckpointAtTheEnd();
                    run.DropSinks(run.Middle);
                },
                Lost,
                Ahead
            ),
            new("a dropped one that a checkpoint passed", run => run.DropSinks(run.Middle), Lost, Ahead),
            new(
                "a whole partition dropped",
                run =>
                {
                    run.CheckpointAtTheEnd();
                    run.Events.Where(simulated => simulated.Partition == "1").ToList().ForEach(run.DropSinks);
                },
                Lost,
                Ahead
            ),
            new("the last event dropped", run => run.DropSinks(run.Of(1, MutableRun.PerPartition - 1)), Lost, Ahead),
            new("a blob removed after all", run => run.Journal.Add(new BlobDeleted("archive", run.Middle.BlobName, "e1")), Lost),
            new(
                "a blob removed and stored again",
                run =>
                    run.Journal.AddRange([
                        new BlobDeleted("archive", run.Middle.BlobName, "e1"),
                        run.Middle.Blob(WriteMoment.Begun),
                        run.Middle.Blob(WriteMoment.Stored),
                    ]),
                "duplicateBlob"
            ),
            new("acknowledged and never appended", run => run.Ledger.Add(run.Middle.Row() with { Index = 1000 }), Lost),
            new(
                "one of two copies dropped",
                run =>
                {
                    run.AddCopy(redelivered: true);
                    run.Journal.RemoveAt(run.Journal.FindLastIndex(static record => record is MessageWritten));
                }
            ),
            new("an unknown send that is complete", run => run.Ledger[14] = run.Ledger[14] with { Outcome = SendOutcome.Unknown }),
            new("an unknown send that never arrived", run => run.Ledger.Add(run.Middle.Row(SendOutcome.Unknown) with { Index = 1000 })),
            new("a refused send", run => run.Ledger.Add(run.Middle.Row(SendOutcome.Failed) with { Index = 1000 })),
        ];

    private static IEnumerable<Mutant> UnexpectedOnes =>
        [
            new("a stamp that is no row", run => run.AddCopy(redelivered: false, copy => copy with { Properties = Stamped(GoodRun.Run, "5000") }), Unexpected),
            new("the stamp of another run", run => run.AddCopy(redelivered: false, copy => copy with { Properties = Stamped("run-2", "14") }), Unexpected),
            new(
                "a stamp without an index",
                run => run.AddCopy(redelivered: false, copy => copy with { Properties = new Dictionary<string, string> { ["eht-run"] = GoodRun.Run } }),
                Unexpected
            ),
            new(
                "a second message name",
                run => run.AddCopy(redelivered: false, copy => copy with { MessageId = "6f9619ff-8b86-d011-b42d-00cf4fc964ff" }),
                Unexpected
            ),
            new("a message name with a leading zero", run => run.AddCopy(redelivered: false, copy => copy with { MessageId = "hub-0-07" }), Unexpected),
            new("a second blob name", run => run.Journal.Add(run.Middle.Blob(WriteMoment.Stored) with { Name = "hub/0/7" }), Unexpected),
            new("a blob of no event", run => run.Journal.Add(run.Middle.Blob(WriteMoment.Stored) with { Name = $"hub/0/{12345:D20}" }), Unexpected),
            new("a message before its append", run => run.Journal.Insert(0, run.Middle.Message(WriteMoment.Stored)), Unexpected),
            new("a row missing in the ledger", run => run.Ledger.RemoveAt(14), Unexpected),
            new("a message in another queue", run => run.AddCopy(redelivered: false, copy => copy with { Entity = "other", MessageId = "whatever" })),
            new("a blob in another container", run => run.Journal.Add(run.Middle.Blob(WriteMoment.Stored) with { Container = "other", Name = "whatever" })),
            new(
                "events of another run",
                run =>
                {
                    var foreign = new SimulatedEvent(0, "0", 500, null, 0);
                    run.Journal.Add(foreign.Append() with { Properties = Stamped("run-2", "0") });
                    run.Journal.AddRange(
                        MutableRun
                            .Records(foreign)
                            .Select(record => record is MessageWritten message ? message with { Properties = Stamped("run-2", "0") } : record)
                    );
                }
            ),
            new(
                "another run's event with our stamp",
                run =>
                {
                    var foreign = new SimulatedEvent(0, "0", 500, null, 0);
                    run.Journal.Add(foreign.Append() with { Properties = Stamped("run-2", "0") });
                    run.Journal.Add(foreign.Message(WriteMoment.Stored));
                },
                Unexpected
            ),
        ];

    private static IEnumerable<Mutant> CorruptOnes =>
        [
            new("one bit of a message", run => run.ChangeMessage(message => message with { Sha256 = Flip(message.Sha256!) }), Corrupt),
            new("one bit of a blob", run => run.ChangeBlob(blob => blob with { Sha256 = Flip(blob.Sha256!) }), Corrupt),
            new("a cut message", run => run.ChangeMessage(message => message with { Sha256 = Other, Length = 3 }), Corrupt),
            new("an extended blob", run => run.ChangeBlob(blob => blob with { Sha256 = Other, Length = blob.Length + 1 }), Corrupt),
            new("the same hash with another length", run => run.ChangeMessage(message => message with { Length = 3 }), Corrupt),
            new("a blob's length", run => run.ChangeBlob(blob => blob with { Length = 3 }), Corrupt),
            new("a blank hash", run => run.ChangeMessage(message => message with { Sha256 = "" }), Corrupt),
            new("no hash", run => run.ChangeBlob(blob => blob with { Sha256 = null }), Corrupt),
            new("a hash of nothing", run => run.ChangeBlob(blob => blob with { Sha256 = SimulatedEvent.Hash(""), Length = 0 }), Corrupt),
            new("another property", run => run.ChangeMessage(message => message with { PropertiesSha256 = Other }), Corrupt),
            new("no properties", run => run.ChangeMessage(message => message with { PropertiesSha256 = null, Properties = null }), Corrupt),
            new("properties out of nothing", run => run.ChangeAppend(append => append with { PropertiesSha256 = null }), Corrupt),
            new("the stamp of another event", run => run.ChangeMessage(message => message with { Properties = Stamped(GoodRun.Run, "3") }), Corrupt),
            new("a message's content type", run => run.ChangeMessage(message => message with { ContentType = "text/plain" }), Corrupt),
            new("no content type", run => run.ChangeMessage(message => message with { ContentType = null }), Corrupt),
            new("a blob's content type", run => run.ChangeBlob(blob => blob with { ContentType = "text/plain" }), Corrupt),
            new(
                "other properties at a blob",
                run => run.ChangeBlob(blob => blob with { Metadata = new Dictionary<string, string> { ["properties"] = run.Of(0, 3).EncodedProperties } }),
                Corrupt
            ),
            new(
                "properties at a blob that are no base64",
                run => run.ChangeBlob(blob => blob with { Metadata = new Dictionary<string, string> { ["properties"] = "?" } }),
                Corrupt
            ),
            new("another hash in a blob's metadata", run => ChangeMetadata(run, "Sha256", Other), Corrupt),
            new("no hash in a blob's metadata", run => ChangeMetadata(run, "Sha256", null), Corrupt),
            new("a blank hash in a blob's metadata", run => ChangeMetadata(run, "Sha256", ""), Corrupt),
            new("another length in a blob's metadata", run => ChangeMetadata(run, "Length", "3"), Corrupt),
            new("a length in a blob's metadata that is no number", run => ChangeMetadata(run, "Length", "many"), Corrupt),
            new("no length in a blob's metadata", run => ChangeMetadata(run, "Length", null), Corrupt),
            new("no properties at a blob", run => run.ChangeBlob(blob => blob with { Metadata = null }), Corrupt),
            new("a later copy", run => run.AddCopy(redelivered: true, copy => copy with { Sha256 = Other }), Corrupt),
            new("other bytes in the event hub", run => run.ChangeAppend(append => append with { Sha256 = Other }), Corrupt),
            new(
                "a blob of an event without content type",
                run =>
                {
                    run.ChangeAppend(append => append with { ContentType = null });
                    run.ChangeMessage(message => message with { ContentType = null });
                    run.ChangeBlob(blob => blob with { ContentType = "application/octet-stream" });
                }
            ),
            new(
                "a content type of its own at a blob of an event without",
                run =>
                {
                    run.ChangeAppend(append => append with { ContentType = null });
                    run.ChangeMessage(message => message with { ContentType = null });
                },
                Corrupt
            ),
            new(
                "the service's content type at a blob of an event that has one",
                run => run.ChangeBlob(blob => blob with { ContentType = "application/octet-stream" }),
                Corrupt
            ),
        ];

    private static string Other => SimulatedEvent.Hash("other");

    private static void ChangeMetadata(MutableRun run, string name, string? value) =>
        run.ChangeBlob(blob =>
        {
            var metadata = new Dictionary<string, string>(blob.Metadata!);
            metadata.Remove(name);
            if (value is not null)
            {
                metadata.Add(name, value);
            }

            return blob with
            {
                Metadata = metadata,
            };
        });

    private static string Flip(string hash) => (hash[0] == '0' ? '1' : '0') + hash[1..];

    private static Dictionary<string, string> Stamped(string run, string index) => new() { ["eht-run"] = run, ["eht-index"] = index };
}
