using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Dead letters that are written to the sinks after all, and removed.</summary>
internal static class RedriveMutants
{
    private const string Duplicate = "duplicateServiceBus";

    public static IEnumerable<Mutant> All =>
        [
            new("a dead letter that was redriven", run => Redrive(run, messages: 1)) { Promise = OrderPromise.Partition },
            new("a dead letter that was removed and written nowhere", run => Redrive(run, messages: 0, blobs: 0), "lost"),
            new("a dead letter that was removed and written to one sink", run => Redrive(run, messages: 0), "lost"),
            new(
                "a dead letter that was removed and stored again",
                run =>
                {
                    Redrive(run, messages: 0, blobs: 0);
                    run.Journal.Add(run.Middle.DeadLetter());
                }
            ),
            new("a dead letter that one redrive wrote twice", run => Redrive(run, messages: 2), Duplicate),
            new(
                "a dead letter that a second redrive wrote again after the first was killed",
                run =>
                {
                    Claim(run, "first");
                    Write(run);
                    Redrive(run, messages: 1, blobs: 0, claim: "second", given: true);
                }
            ),
            new(
                "a dead letter that a second redrive wrote again after the first had let it go",
                run =>
                {
                    Claim(run, "first");
                    Write(run);
                    run.Journal.Add(run.Middle.DeadLetter());
                    Redrive(run, messages: 1, blobs: 0, claim: "second", given: true);
                },
                "redundantDeadLetters"
            ),
            new(
                "a dead letter that two redrives wrote three times",
                run =>
                {
                    Claim(run, "first");
                    Write(run);
                    Redrive(run, messages: 2, blobs: 0, claim: "second", given: true);
                },
                Duplicate
            ),
            new("a dead letter that was claimed and is still there", run => Claim(run, "first")),
            new("a dead letter of no event that was removed", run => run.Journal.Add(new BlobDeleted("deadletters", "hub/0/oops", "1"))),
            new("a blob that was removed elsewhere", run => run.Journal.Add(new BlobDeleted("elsewhere", run.Middle.BlobName, "1"))),
        ];

    private static void GiveUp(MutableRun run)
    {
        var at = run.MessageAt(run.Middle, WriteMoment.Begun);
        run.DropSinks(run.Middle);
        run.Journal.Insert(at, run.Middle.DeadLetter());
    }

    private static void Claim(MutableRun run, string claim, bool given = false)
    {
        if (!given)
        {
            GiveUp(run);
        }

        var letter = run.Middle.DeadLetter();
        run.Journal.Add(
            letter with
            {
                Metadata = new Dictionary<string, string>(letter.Metadata!) { ["redrive"] = claim, ["redrivelimit"] = "60000" },
            }
        );
    }

    private static void Write(MutableRun run)
    {
        Message(run);
        run.Journal.Add(run.Middle.Blob(WriteMoment.Begun));
        run.Journal.Add(run.Middle.Blob(WriteMoment.Stored));
    }

    private static void Message(MutableRun run)
    {
        run.Journal.Add(run.Middle.Message(WriteMoment.Begun));
        run.Journal.Add(run.Middle.Message(WriteMoment.Stored));
        run.Journal.Add(run.Middle.Message(WriteMoment.Answered));
    }

    private static void Redrive(MutableRun run, int messages, int blobs = 1, string claim = "first", bool given = false)
    {
        Claim(run, claim, given);
        for (var message = 0; message < messages; message++)
        {
            Message(run);
        }

        for (var blob = 0; blob < blobs; blob++)
        {
            run.Journal.Add(run.Middle.Blob(WriteMoment.Begun));
            run.Journal.Add(run.Middle.Blob(WriteMoment.Stored));
        }

        run.Journal.Add(new BlobDeleted("deadletters", run.Middle.BlobName, "1"));
    }
}
