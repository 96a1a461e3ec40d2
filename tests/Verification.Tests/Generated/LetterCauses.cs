using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Why dead letters name sinks, looked for the slow and plain way.</summary>
internal sealed class LetterCauses
{
    private const long Second = 1_000_000;

    private readonly List<JournalRecord> journal;
    private readonly string message;
    private readonly string blob;

    private LetterCauses(List<JournalRecord> journal, EventAppended appended) =>
        (this.journal, message, blob) = (journal, EventNames.Message(appended), EventNames.Blob(appended));

    /// <summary>
    /// Whether in the end each sink has each event that was delivered, or the dead letter names the sink. Each naming of a sink must be explained:
    /// the sink had not answered, or the event was delivered or claimed again.
    /// </summary>
    public static bool Hold(GoodRun run) =>
        run
            .Journal.OfType<EventAppended>()
            .Where(static appended => appended.Hub == GoodRun.Hub)
            .All(appended => new LetterCauses(run.Journal, appended).Hold());

    private bool Hold()
    {
        var letters = Enumerable.Range(0, journal.Count).Where(at => journal[at] is BlobWritten record && IsLetter(record)).ToList();
        return letters.TrueForAll(at => IsExplained(at, letters)) && (letters.Count == 0 || IsKept(letters[^1]));
    }

    private bool IsLetter(BlobWritten record) => record is { Moment: WriteMoment.Stored, Container: "deadletters" } && record.Name == blob;

    private bool IsExplained(int at, List<int> letters)
    {
        var before = letters.LastOrDefault(other => other < at, -1);
        var named = GetSinks(at).Except(before < 0 ? [] : GetSinks(before)).ToList();
        return (!named.Contains("servicebus") || IsExplained(at, AtQueue(), hasAnswers: true))
            && (!named.Contains("blob") || IsExplained(at, AtArchive(), hasAnswers: false));
    }

    // The writes of the event at one sink: what it had when the letter was stored, and what it got afterwards.
    private bool IsExplained(int letter, List<(int At, WriteMoment Moment)> writes, bool hasAnswers)
    {
        var stored =
            OnItsWay(letter, writes) is > 0 and var next && hasAnswers
                ? next
                : writes.FindLast(write => write.Moment == WriteMoment.Stored && write.At < letter).At;
        var begun = writes.FindLast(write => write.Moment == WriteMoment.Begun && write.At < Math.Max(stored, 1)).At;
        // An answer is that of the last message which has none.
        var answered = writes.Find(write => write.Moment != WriteMoment.Begun && write.At > stored) is (var at, WriteMoment.Answered) ? at : 0;
        var had = stored > 0;
        var isDoubtful =
            WasGivenBetween(begun, letter)
            || HasFailedElsewhere(letter, writes, stored, hasAnswers)
            || journal[letter].Microseconds - journal[begun].Microseconds >= Second
            || (
                hasAnswers
                    ? answered == 0 || journal[answered].Microseconds - journal[begun].Microseconds >= Second
                    : writes.Exists(write => write.Moment == WriteMoment.Begun && write.At > stored && write.At < letter)
            );
        // The owner that has given a write up begins no other one.
        var storedLater = writes.Find(write => write.Moment == WriteMoment.Stored && write.At > letter).At;
        var later = writes.FindLast(write => write.Moment == WriteMoment.Begun && write.At > letter && write.At < storedLater).At;
        return (!had || isDoubtful) && (later == 0 || WasGivenBetween(letter, later) || Deliveries(-1, later) > 1);
    }

    // The message that was begun last, if it is stored after the letter and answered, or 0 for none.
    private static int OnItsWay(int letter, List<(int At, WriteMoment Moment)> writes)
    {
        var begun = writes.FindLast(write => write.Moment == WriteMoment.Begun && write.At < letter).At;
        var rest = writes.Where(write => write.Moment != WriteMoment.Begun && write.At > begun).Take(2).ToList();
        return begun > 0 && rest is [(var stored, WriteMoment.Stored), (_, WriteMoment.Answered)] && stored > letter ? stored : 0;
    }

    // One of two owners that were given the event has begun what was not stored, over another connection than the one that has written.
    private bool HasFailedElsewhere(int letter, List<(int At, WriteMoment Moment)> writes, int stored, bool hasAnswers)
    {
        var writer = GetConnection(stored);
        return Deliveries(-1, letter) > 1
            && writes
                .Where(write => writer is null || GetConnection(write.At) != writer)
                .GroupBy(write => GetConnection(write.At))
                .Any(ofOne =>
                    ofOne.Count(write => write.Moment == WriteMoment.Begun && write.At < letter)
                    > ofOne.Count(write => write.Moment == WriteMoment.Stored && (hasAnswers || write.At < letter))
                );
    }

    private string? GetConnection(int at) => (journal[at] as MessageWritten)?.Connection;

    private bool IsKept(int last)
    {
        var isDeleted = journal.Skip(last).Any(record => record is BlobDeleted { Container: "deadletters" } deleted && deleted.Name == blob);
        var named = isDeleted ? [] : GetSinks(last);
        return (named.Contains("servicebus") || AtQueue().Exists(static write => write.Moment == WriteMoment.Stored))
            && (named.Contains("blob") || AtArchive().Exists(static write => write.Moment == WriteMoment.Stored));
    }

    private List<string> GetSinks(int at) => [.. (((BlobWritten)journal[at]).Metadata!.GetValueOrDefault("sinks") ?? string.Empty).Split(',')];

    private List<(int At, WriteMoment Moment)> AtQueue() =>
        [
            .. journal
                .Index()
                .Where(one => one.Item is MessageWritten write && write.MessageId == message)
                .Select(one => (one.Index, ((MessageWritten)one.Item).Moment)),
        ];

    private List<(int At, WriteMoment Moment)> AtArchive() =>
        [
            .. journal
                .Index()
                .Where(one => one.Item is BlobWritten { Container: "archive" } write && write.Name == blob)
                .Select(one => (one.Index, ((BlobWritten)one.Item).Moment)),
        ];

    private bool WasGivenBetween(int after, int before) =>
        Deliveries(after, before) > 0
        || journal
            .Skip(after + 1)
            .Take(before - after - 1)
            .Any(record => record is BlobWritten letter && IsLetter(letter) && letter.Metadata!.ContainsKey("redrive"));

    private int Deliveries(int after, int before) =>
        journal
            .Skip(after + 1)
            .Take(before - after - 1)
            .OfType<EventDelivered>()
            .Count(delivered => delivered is { Group: GoodRun.Group, OwnerLevel: not null } && IsOfThis(delivered));

    private bool IsOfThis(EventDelivered delivered) =>
        Enumerable
            .Range(0, delivered.Count)
            .Any(step => message == string.Create(CultureInfo.InvariantCulture, $"{GoodRun.Hub}-{delivered.Partition}-{delivered.Sequence + step}"));
}
