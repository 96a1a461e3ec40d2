using System.Globalization;
using System.Text;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Makes dead letters that name other sinks, or are claimed as no redrive claims them, and dead letters of events that are written.</summary>
internal sealed class LetterMaker(GoodRun good)
{
    private static readonly string[] Lists = [string.Empty, "elsewhere", "servicebus", "blob", "servicebus,blob"];
    private static readonly string?[] FalseLimits = [null, "0", "3600001", "soon"];

    private readonly List<JournalRecord> journal = good.Journal;

    public IEnumerable<GeneratedMutant> All() => [.. Letters().SelectMany(OtherSinks), .. Letters().SelectMany(Claims), .. Beside()];

    private IEnumerable<int> Letters() =>
        Enumerable
            .Range(0, journal.Count)
            .Where(at =>
                journal[at] is BlobWritten { Moment: WriteMoment.Stored, Container: "deadletters", Metadata: { } fields } && fields.ContainsKey("sinks")
            );

    private IEnumerable<GeneratedMutant> OtherSinks(int at)
    {
        var letter = (BlobWritten)journal[at];
        var named = letter.Metadata!["sinks"];
        return Lists
            .Where(list => !list.Split(',').Order().SequenceEqual(named.Split(',').Order()))
            .Select(list => Changed(MutantKind.OtherSinks, at, $"names '{list}' instead of '{named}'", With(letter, ("sinks", list))));
    }

    private IEnumerable<GeneratedMutant> Claims(int at)
    {
        var letter = (BlobWritten)journal[at];
        if (letter.Metadata!.ContainsKey("redrive"))
        {
            yield break;
        }

        foreach (var limit in FalseLimits)
        {
            var claimed = limit is null ? With(letter, ("redrive", "another")) : With(letter, ("redrive", "another"), ("redrivelimit", limit));
            yield return Changed(MutantKind.WrongMetadata, at, $"claimed with {(limit is null ? "no limit" : $"limit '{limit}'")}", claimed) with
            {
                Charge = "corrupt",
            };
        }
    }

    private IEnumerable<GeneratedMutant> Beside()
    {
        var given = journal.OfType<BlobWritten>().Where(static blob => blob.Container == "deadletters").Select(static blob => blob.Name).ToHashSet();
        foreach (var appended in EventNames.Promised(good))
        {
            var blobAt = journal.FindIndex(record =>
                record is BlobWritten { Moment: WriteMoment.Stored, Container: "archive" } blob && blob.Name == EventNames.Blob(appended)
            );
            var messageAt = journal.FindIndex(record =>
                record is MessageWritten { Moment: WriteMoment.Stored } message && message.MessageId == EventNames.Message(appended)
            );
            if (blobAt < 0 || messageAt < 0 || given.Contains(EventNames.Blob(appended)))
            {
                continue;
            }

            foreach (var sinks in Lists.Skip(2))
            {
                var letter = GetLetter(appended, (BlobWritten)journal[blobAt], sinks);
                var answeredAt = journal.FindIndex(record =>
                    record is MessageWritten { Moment: WriteMoment.Answered } message && message.MessageId == EventNames.Message(appended)
                );
                var at = Math.Max(Math.Max(blobAt, messageAt), answeredAt) + 1;
                yield return Added(
                    $"of {EventNames.Message(appended)}, naming '{sinks}', once it is complete",
                    records => records.Insert(at, Timed(letter, at - 1))
                );
                yield return Added(
                    $"of {EventNames.Message(appended)}, naming '{sinks}', at the end",
                    records => records.Add(Timed(letter, journal.Count - 1))
                );
            }
        }
    }

    private JournalRecord Timed(BlobWritten letter, int after) => letter with { Microseconds = journal[after].Microseconds };

    private static BlobWritten GetLetter(EventAppended appended, BlobWritten blob, string sinks) =>
        With(
            blob with
            {
                Container = "deadletters",
                Overwrote = false,
            },
            ("reason", "too large"),
            ("attempts", "1"),
            ("sinks", sinks),
            ("partition", appended.Partition),
            ("sequence", appended.Sequence.ToString(CultureInfo.InvariantCulture)),
            ("offset", Convert.ToBase64String(Encoding.UTF8.GetBytes(appended.Offset))),
            ("enqueued", "2026-11-27T10:00:00.0000000+00:00")
        );

    private static BlobWritten With(BlobWritten letter, params (string Name, string Value)[] fields)
    {
        var metadata = new Dictionary<string, string>(letter.Metadata!, StringComparer.Ordinal);
        foreach (var (name, value) in fields)
        {
            metadata[name] = value;
        }

        return letter with
        {
            Metadata = metadata,
        };
    }

    private GeneratedMutant Changed(MutantKind kind, int at, string what, BlobWritten letter) =>
        new(kind, GeneratedMutant.GetName(letter), $"{what} at {at + 1}", good, records => records[at] = letter) { At = at };

    private GeneratedMutant Added(string what, Action<List<JournalRecord>> change) =>
        new(MutantKind.RedundantDeadLetter, "blob.stored", what, good, change) { Charge = "redundantDeadLetters" };
}
