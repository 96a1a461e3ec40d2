using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Writes messages again that have had their answers: nothing explains these copies.</summary>
internal sealed class CopyMaker(GoodRun good)
{
    private const long Second = 1_000_000;

    private readonly List<JournalRecord> journal = good.Journal;

    public IEnumerable<GeneratedMutant> All() =>
        Enumerable
            .Range(0, journal.Count)
            .Where(at => journal[at] is MessageWritten { Moment: WriteMoment.Answered, Entity: GoodRun.Queue } message && IsOurs(message))
            .SelectMany(Copies);

    private static bool IsOurs(MessageWritten message) => message.MessageId.StartsWith($"{GoodRun.Hub}-", StringComparison.Ordinal);

    private IEnumerable<GeneratedMutant> Copies(int at)
    {
        var answered = (MessageWritten)journal[at];
        var stored = (MessageWritten)
            journal.Take(at).Last(record => record is MessageWritten { Moment: WriteMoment.Stored } message && IsSame(message, answered));
        MessageWritten[] copy = [stored with { Moment = WriteMoment.Begun, Arrival = null }, stored, stored with { Moment = WriteMoment.Answered }];
        yield return Of(at, "again after its answer", records => Insert(records, at + 1, copy));
        yield return Of(at, "again at the end", records => Insert(records, records.Count, copy));
        yield return Of(at, "again after a connection was cut, although it was answered", records => Insert(records, at + 1, [Drop, .. copy]));
        yield return Of(at, "again after the connection of another was cut", records => Insert(records, at + 1, [new ConnectionCut("elsewhere"), .. copy]));
        yield return Of(at, "again after a late answer", records => InsertLater(records, at, copy));
        if (answered.Connection is { } connection)
        {
            yield return Of(at, "again after its connection was cut a second later", records => InsertCut(records, at, connection, copy));
        }
    }

    private static FaultInjected Drop => new("F6", "connect", "drop", "servicebus");

    private static bool IsSame(MessageWritten one, MessageWritten other) => one.MessageId == other.MessageId && one.Connection == other.Connection;

    private static void Insert(List<JournalRecord> records, int at, IEnumerable<JournalRecord> added)
    {
        var now = records[at - 1].Microseconds;
        records.InsertRange(at, added.Select(record => record with { Microseconds = now }));
    }

    // The answer and all that follows come two seconds later.
    private static void InsertLater(List<JournalRecord> records, int at, IEnumerable<JournalRecord> copy)
    {
        for (var later = at; later < records.Count; later++)
        {
            records[later] = records[later] with { Microseconds = records[later].Microseconds + (2 * Second) };
        }

        Insert(records, at + 1, copy);
    }

    // The connection and all that follows end more than a second after the answer.
    private static void InsertCut(List<JournalRecord> records, int at, string connection, MessageWritten[] copy)
    {
        for (var later = at + 1; later < records.Count; later++)
        {
            records[later] = records[later] with { Microseconds = records[later].Microseconds + (2 * Second) };
        }

        var now = records[at].Microseconds + (2 * Second);
        records.InsertRange(
            at + 1,
            [new ConnectionCut(connection) { Microseconds = now }, .. copy.Select(record => record with { Connection = "next", Microseconds = now })]
        );
    }

    private GeneratedMutant Of(int at, string what, Action<List<JournalRecord>> change) =>
        new(MutantKind.CopyWithoutCause, "sb.accept", $"{what} at {at + 1}", good, change) { At = at, Charge = "duplicateServiceBus" };
}
