using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// The copies of one event's message, and what caused each but the first. A copy has a cause when something happened after the copy before it was
/// begun: the event was delivered again, or a redrive claimed its dead letter, or the answer to the copy before had not come by then.
/// </summary>
/// <param name="context">What the journal tells as a whole.</param>
internal sealed class MessageCopies(JournalContext context)
{
    private const long Patience = ConnectionTable.Patience;

    private readonly List<Request> requests = [];
    private readonly List<Copy> copies = [];
    private readonly List<long> reasons = [];
    private readonly List<(long Tick, int Incarnation)> deliveries = [];
    private int injected;

    /// <summary>Messages whose arrival the journal tells.</summary>
    public int Begun => requests.Count;

    /// <summary>Copies that the emulator itself made, because a fault asked for it.</summary>
    public int Injected { get; private set; }

    public void Clear()
    {
        requests.Clear();
        copies.Clear();
        reasons.Clear();
        deliveries.Clear();
        (injected, Injected) = (0, 0);
    }

    public void Begin(in Fact fact) => requests.Add(new Request(fact.Tick, fact.Length, fact.Connection));

    /// <summary>A fault is about to store the message once more.</summary>
    public void Inject()
    {
        Injected++;
        injected++;
    }

    public void Deliver(in Fact fact)
    {
        reasons.Add(fact.Tick);
        deliveries.Add((fact.Tick, (int)fact.Number));
    }

    /// <summary>A redrive has claimed the dead letter, which names the queue.</summary>
    public void Claim(long tick) => reasons.Add(tick);

    public void Store(in Fact fact, bool isDeduplicated)
    {
        // A request that was refused stores nothing, and which of one connection was stored is not told: what is best for the writer counts.
        var connection = fact.Connection;
        var (first, last) = (-1, -1);
        for (var at = 0; at < requests.Count; at++)
        {
            if (connection == 0 || requests[at].Connection == connection)
            {
                (first, last) = (first < 0 && !requests[at].IsStored ? at : first, at);
            }
        }

        if (first < 0 && injected > 0)
        {
            injected--;
            return;
        }

        var earliest =
            first >= 0 ? requests[first]
            : last >= 0 ? requests[last]
            : new Request(fact.Tick, 0, connection);
        if (first >= 0)
        {
            requests[first] = earliest with { IsStored = true };
        }

        copies.Add(new Copy(earliest, last >= 0 ? requests[last] : earliest, fact.Tick, isDeduplicated));
    }

    public void Answer(in Fact fact)
    {
        var connection = fact.Connection;
        var at = copies.FindLastIndex(copy => copy.Answered == 0 && (connection == 0 || copy.Latest.Connection == connection));
        if (at >= 0)
        {
            copies[at] = copies[at] with { Answered = fact.Tick, AnsweredAt = fact.Length };
        }
    }

    /// <summary>How many stored copies have no cause. Asked when all facts of the event have come by.</summary>
    /// <param name="partition">The event's partition.</param>
    public int CountWithoutCause(PartitionTrack partition)
    {
        // In the order in which they were begun: a slow one may be stored behind the next.
        copies.Sort(static (one, other) => (one.Latest.Tick, one.Stored).CompareTo((other.Latest.Tick, other.Stored)));
        var count = 0;
        for (var at = 1; at < copies.Count; at++)
        {
            count += copies[at].IsDeduplicated || HasCause(at, partition) ? 0 : 1;
        }

        return Math.Max(0, count - injected);
    }

    /// <summary>Whether a writer may have given the message up at that moment although the queue has it.</summary>
    /// <param name="tick">The moment.</param>
    /// <param name="microseconds">The same as a time.</param>
    public bool IsInDoubt(long tick, long microseconds)
    {
        var at = copies.FindLastIndex(copy => copy.Stored < tick);
        return at < 0 || HasReason(copies[at], tick) || IsUnanswered(copies[at], tick, microseconds) || copies[at].WasAnsweredLate;
    }

    /// <summary>Whether the event was delivered between two ticks.</summary>
    public bool WasDeliveredBetween(long after, long before) => deliveries.Exists(delivery => delivery.Tick > after && delivery.Tick < before);

    /// <summary>The writes of each incarnation that was given the event, as far as they can be told apart.</summary>
    /// <param name="givenUp">The tick from which no order is promised any more.</param>
    /// <param name="partition">The partition.</param>
    public IEnumerable<OwnWrites> OfIncarnations(long givenUp, PartitionTrack partition)
    {
        for (var at = 0; at < requests.Count && requests[at].Tick < givenUp; at++)
        {
            var request = requests[at];
            var given = deliveries.FindLastIndex(delivery => delivery.Tick < request.Tick);
            if (given >= 0)
            {
                var incarnation = deliveries[given].Incarnation;
                var isOld = context.Connections.IsOlderThan(request.Connection, partition.Incarnations[incarnation].Since);
                var stored = copies.Find(copy => copy.Stored > request.Tick).Stored;
                yield return new OwnWrites(incarnation, isOld ? request.Connection : (ushort)0, request.Tick, stored, IsRepeat: at > 0);
            }
        }
    }

    private bool HasCause(int at, PartitionTrack partition)
    {
        var (before, copy) = (copies[at - 1], copies[at].Latest);
        return HasReason(before, copy.Tick)
            || IsUnanswered(before, copy.Tick, copy.Microseconds)
            || IsOfAnotherOwner(at)
            || IsOfEarlierReading(at, partition.Incarnations);
    }

    private bool HasReason(Copy before, long tick) => reasons.Exists(reason => reason > before.Earliest.Tick && reason < tick);

    // The answer was lost, or had not come when its writer's patience was over.
    private bool IsUnanswered(Copy copy, long tick, long microseconds) =>
        copy.Answered > 0 && copy.Answered < tick
            ? WasAnswerCutOff(copy, tick) || WasAnswerNotRead(copy, tick, microseconds)
            : (copy.Answered == 0 && context.Findings.AnswersRecorded)
                || context.QueueCuts.AnyBetween(copy.Earliest.Tick, tick)
                || microseconds - copy.Earliest.Microseconds >= Patience;

    // An answer is lost when its connection ends before the writer has read it. The journal may tell of it after the cut.
    private bool WasAnswerCutOff(Copy copy, long tick) =>
        context.Connections.CutOf(copy.Latest.Connection) is { } cut
        && cut.Tick > copy.Earliest.Tick
        && cut.Tick < tick
        && cut.Microseconds - copy.AnsweredAt <= Patience;

    // A process that was stopped gives up what it had in flight when it wakes, although the answers have come.
    private bool WasAnswerNotRead(Copy copy, long tick, long microseconds) =>
        context.Connections.WasSilent(copy.Latest.Connection, copy.Earliest.Tick, copy.AnsweredAt, tick, microseconds);

    // Two owners who have both been given the event before either wrote it: the first has not learnt yet that it lost the partition.
    private bool IsOfAnotherOwner(int at)
    {
        var copy = copies[at].Latest;
        if (copy.Connection == 0 || copies.FindIndex(0, at, other => other.Latest.Connection == copy.Connection) >= 0)
        {
            return false;
        }

        var owners = deliveries.Where(delivery => delivery.Tick < copy.Tick).Select(static delivery => delivery.Incarnation).Distinct().Count();
        return owners > copies.Take(at).Select(static other => other.Latest.Connection).Distinct().Count();
    }

    // A process that was given the event again writes it once more although what it was given before is still to be written: its connection is older than
    // its last reading, and it has written the event less often than it was given it.
    private bool IsOfEarlierReading(int at, List<Incarnation> incarnations)
    {
        var copy = copies[at].Latest;
        var last = deliveries.FindLastIndex(delivery => delivery.Tick < copy.Tick);
        if (
            last < 0
            || incarnations[deliveries[last].Incarnation] is not { Owner: { } owner } reading
            || !context.Connections.IsOlderThan(copy.Connection, reading.Since)
        )
        {
            return false;
        }

        var given = deliveries.Count(delivery => delivery.Tick < copy.Tick && incarnations[delivery.Incarnation].Owner == owner);
        return copies.Take(at + 1).Count(other => other.Latest.Connection == copy.Connection) <= given;
    }

    /// <summary>A message that arrived.</summary>
    private readonly record struct Request(long Tick, long Microseconds, ushort Connection)
    {
        /// <summary>Whether a message that was stored is taken for it.</summary>
        public bool IsStored { get; init; }
    }

    /// <summary>A message that was stored: the first and the last request that it can have been.</summary>
    private readonly record struct Copy(Request Earliest, Request Latest, long Stored, bool IsDeduplicated)
    {
        /// <summary>When its answer was given; 0 for never.</summary>
        public long Answered { get; init; }

        /// <summary>The same as a time.</summary>
        public long AnsweredAt { get; init; }

        public bool WasAnsweredLate => Answered > 0 && AnsweredAt - Earliest.Microseconds >= Patience;
    }
}

/// <summary>One write of an event by one incarnation.</summary>
/// <param name="Incarnation">The last incarnation that was given the event before.</param>
/// <param name="Connection">A connection that is older than the incarnation, and may be another owner's; 0 for all that are not.</param>
/// <param name="Begun">When it arrived.</param>
/// <param name="Stored">When a message of the event was stored after that; 0 for never.</param>
/// <param name="IsRepeat">Whether the event had been written before.</param>
internal readonly record struct OwnWrites(int Incarnation, ushort Connection, long Begun, long Stored, bool IsRepeat);
