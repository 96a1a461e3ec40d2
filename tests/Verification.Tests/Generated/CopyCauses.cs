using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The causes of the copies of one message, looked for the slow and plain way.</summary>
internal sealed class CopyCauses
{
    private const long Second = 1_000_000;

    private readonly List<JournalRecord> journal;
    private readonly string id;
    private readonly List<Copy> copies = [];

    private CopyCauses(List<JournalRecord> journal, string id)
    {
        (this.journal, this.id) = (journal, id);
        var begun = new List<int>();
        var taken = new HashSet<int>();
        for (var at = 0; at < journal.Count; at++)
        {
            if (journal[at] is not MessageWritten message || message.MessageId != id || message.Entity != GoodRun.Queue)
            {
                continue;
            }

            switch (message.Moment)
            {
                case WriteMoment.Begun:
                    begun.Add(at);
                    break;
                case WriteMoment.Stored:
                    var own = begun.Where(place => IsOver(place, message.Connection)).ToList();
                    var earliest = own.Where(place => !taken.Contains(place)).Append(own.LastOrDefault(at)).First();
                    taken.Add(earliest);
                    copies.Add(new Copy(earliest, own.LastOrDefault(at), at, message.Connection));
                    break;
                default:
                    // The answer is that of the last message which has none.
                    var last = copies.FindLastIndex(copy => copy.Answered < 0 && (message.Connection is null || copy.Connection == message.Connection));
                    if (last >= 0)
                    {
                        copies[last] = copies[last] with { Answered = at };
                    }

                    break;
            }
        }

        copies = [.. copies.OrderBy(static copy => copy.Latest).ThenBy(static copy => copy.Stored)];
    }

    /// <summary>
    /// Whether each message stored beyond the first had a cause after the one before was begun. Causes are a delivery (the cause of one copy each), a
    /// claim of its dead letter, or an earlier reading. Others are the loss of an answer that had not come or could not be read, or no answer at all.
    /// Messages that a fault doubled need none.
    /// </summary>
    public static bool Hold(GoodRun run)
    {
        var ids = run.Journal.OfType<MessageWritten>().Where(message => message.Entity == GoodRun.Queue).Select(message => message.MessageId).Distinct();
        return ids.All(id => new CopyCauses(run.Journal, id).Hold());
    }

    private bool Hold()
    {
        var doubled = journal.Count(record => record is FaultInjected { Action: "duplicate" } fault && fault.Target == $"{GoodRun.Queue}/{id}");
        var (without, used) = (0, 1);
        for (var at = 1; at < copies.Count; at++)
        {
            if (IsAskedAgain(copies[at - 1], copies[at]))
            {
                continue;
            }

            if ((IsByDelivery(at) || IsOfEarlierReading(at)) && used < Deliveries(-1, copies[at].Latest))
            {
                used++;
            }
            else
            {
                without++;
            }
        }

        return without <= doubled;
    }

    private bool IsAskedAgain(Copy before, Copy copy)
    {
        var between = Between(before.Earliest, copy.Latest).ToList();
        return between.Exists(IsClaim)
            || before.Answered < 0
            || (
                before.Answered < copy.Latest
                    ? between.Exists(record => IsCutOf(before, record) && record.Microseconds - journal[before.Answered].Microseconds <= Second)
                    : between.Exists(static record => record is EmulatorStarted or FaultInjected { Action: "loseAnswer" })
                        || journal[copy.Latest].Microseconds - journal[before.Earliest].Microseconds >= Second
            );
    }

    // Given again since the one before was begun, or to another process that has not written it yet.
    private bool IsByDelivery(int at) =>
        Deliveries(copies[at - 1].Earliest, copies[at].Latest) > 0
        || (copies[at].Connection is { } connection && copies.Take(at).All(other => other.Connection != connection));

    // A process whose connection is older than its last reading has written the event less often than it was given it.
    private bool IsOfEarlierReading(int at)
    {
        var copy = copies[at];
        var given = Enumerable.Range(0, copy.Latest).Where(place => journal[place] is EventDelivered delivered && IsOfThis(delivered)).ToList();
        if (copy.Connection is null || given.Count == 0)
        {
            return false;
        }

        var seen = journal.FindIndex(StartBefore(copy.Latest), record => record is MessageWritten write && write.Connection == copy.Connection);
        return seen < ReadingSince(given[^1])
            && copies.Take(at).Count(other => other.Connection == copy.Connection && StartBefore(other.Latest) == StartBefore(copy.Latest))
                < given.Count(place => GetOwner(place) == GetOwner(given[^1]));
    }

    private int StartBefore(int place) => Math.Max(0, journal.FindLastIndex(place, static record => record is EmulatorStarted));

    private int GetAttach(int place)
    {
        var delivered = (EventDelivered)journal[place];
        return journal.FindLastIndex(
            place,
            record => record is ReaderAttached attached && (attached.Partition, attached.Link) == (delivered.Partition, delivered.Link)
        );
    }

    private int ReadingSince(int place)
    {
        var delivered = (EventDelivered)journal[place];
        return journal.FindIndex(
            Math.Max(0, GetAttach(place)),
            record => record is EventDelivered other && (other.Group, other.Partition, other.Link) == (delivered.Group, delivered.Partition, delivered.Link)
        );
    }

    // Null for a reader without a name of an owner that had claimed the partition.
    private string? GetOwner(int place)
    {
        var attach = GetAttach(place);
        return attach < 0 || ((ReaderAttached)journal[attach]) is not { ClientId: { } name } attached
            ? null
            : journal
                .Take(attach)
                .OfType<OwnershipWritten>()
                .Where(claim =>
                    claim.Partition == attached.Partition
                    && claim.Owner.Length > 0
                    && (name == claim.Owner || name.EndsWith($"-{claim.Owner}", StringComparison.Ordinal))
                )
                .Select(static claim => claim.Owner)
                .FirstOrDefault();
    }

    private bool IsOver(int place, string? connection) => connection is null || ((MessageWritten)journal[place]).Connection == connection;

    private static bool IsCutOf(Copy copy, JournalRecord record) =>
        record is EmulatorStarted || (record is ConnectionCut cut && copy.Connection is not null && cut.Connection == copy.Connection);

    private bool IsClaim(JournalRecord record) =>
        record is BlobWritten { Moment: WriteMoment.Stored, Container: "deadletters", Metadata: { } fields } letter
        && letter.Name.Replace('/', '-').Split('-') is [var hub, var partition, var number]
        && id == $"{hub}-{partition}-{number.TrimStart('0').PadLeft(1, '0')}"
        && fields.ContainsKey("redrive")
        && fields.GetValueOrDefault("sinks", string.Empty).Split(',').Contains("servicebus");

    private int Deliveries(int after, int before) => Between(after, before).Count(record => record is EventDelivered delivered && IsOfThis(delivered));

    private bool IsOfThis(EventDelivered delivered) =>
        delivered is { Hub: GoodRun.Hub, Group: GoodRun.Group, OwnerLevel: not null }
        && Enumerable.Range(0, delivered.Count).Any(step => id == $"{GoodRun.Hub}-{delivered.Partition}-{delivered.Sequence + step}");

    private IEnumerable<JournalRecord> Between(int after, int before) => journal.Skip(after + 1).Take(Math.Max(0, before - after - 1));

    /// <summary>A message that was stored: the first and the last request that it can have been, and its answer, or -1 for none.</summary>
    private readonly record struct Copy(int Earliest, int Latest, int Stored, string? Connection)
    {
        public int Answered { get; init; } = -1;
    }
}
