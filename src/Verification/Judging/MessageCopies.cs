using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Judging;

/// <summary>
/// The copies of one event's message, and the causes of all except the first. A copy has a cause if, after the copy before it began, the event was delivered
/// again, or a redrive claimed its dead letter. Another cause is that the answer to the copy before had not arrived by then.
/// </summary>
/// <param name="context">Has the totals of the journal.</param>
internal sealed class MessageCopies(JournalContext context)
{
    private const long AnswerTimeout = ConnectionTable.AnswerTimeout;

    private readonly List<Request> requests = [];
    private readonly List<Copy> copies = [];
    private readonly List<long> claims = [];
    private readonly List<(long Tick, int Incarnation)> deliveries = [];
    private int injected;

    /// <summary>Messages whose arrival is in the journal.</summary>
    public int Begun => requests.Count;

    /// <summary>The number of deliveries so far.</summary>
    public int Deliveries => deliveries.Count;

    /// <summary>Copies that the emulator itself made because of a fault.</summary>
    public int Injected { get; private set; }

    public void Clear()
    {
        requests.Clear();
        copies.Clear();
        claims.Clear();
        deliveries.Clear();
        (injected, Injected) = (0, 0);
    }

    public void Begin(in Fact fact) => requests.Add(new Request(fact.Tick, fact.Length, fact.Connection));

    /// <summary>Records that a fault is about to store the message again.</summary>
    public void Inject()
    {
        Injected++;
        injected++;
    }

    public void Deliver(in Fact fact) => deliveries.Add((fact.Tick, (int)fact.Number));

    /// <summary>Records that a redrive has claimed the dead letter, which names the queue.</summary>
    public void Claim(long tick) => claims.Add(tick);

    public void Store(in Fact fact, bool isDeduplicated)
    {
        // A refused request stores nothing. It is not recorded which request of a connection was stored, so the best case for the writer counts.
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

    /// <summary>The number of stored copies without a cause. Call it after all facts of the event.</summary>
    /// <param name="partition">The event's partition.</param>
    public int CountWithoutCause(PartitionTrack partition)
    {
        // In the order in which they began: a slow one may be stored after the next.
        copies.Sort(static (one, other) => (one.Latest.Tick, one.Stored).CompareTo((other.Latest.Tick, other.Stored)));
        var count = 0;
        // Each delivery and each lost answer is the cause of one copy. One of the deliveries belongs to the first copy.
        var used = 1;
        for (var at = 1; at < copies.Count; at++)
        {
            if (copies[at].IsDeduplicated || TakeLostAnswer(at, copies[at].Latest.Connection))
            {
                continue;
            }

            if (IsOfAnotherDelivery(at, partition.Incarnations) && used < DeliveriesBefore(copies[at].Latest.Tick))
            {
                used++;
            }
            else if (!WasClaimedBetween(copies[at - 1].Earliest.Tick, copies[at].Latest.Tick) && !TakeLostAnswerOfAnother(at))
            {
                count++;
            }
        }

        return Math.Max(0, count - injected);
    }

    /// <summary>
    /// Whether the queue has the message although its writer gave it up at that moment. The answer would have arrived within the second for which the writer
    /// waits. Call it after all facts of the event.
    /// </summary>
    /// <param name="tick">The moment.</param>
    /// <param name="microseconds">The same as a time.</param>
    public bool WasGivenUpTooEarly(long tick, long microseconds)
    {
        var at = copies.FindLastIndex(copy => copy.Latest.Tick < tick);
        return at >= 0
            // Without its answer it is unknown whether a message under way arrived in time.
            && (copies[at].Stored < tick || copies[at].Answered > 0)
            && !WasDeliveredBetween(copies[at].Earliest.Tick, tick)
            && !HasFailedElsewhere(copies[at].Latest.Connection, tick)
            && !WasClaimedBetween(copies[at].Earliest.Tick, tick)
            && !WasHeldUp(copies[at], microseconds)
            && !(copies[at].Answered > tick ? MayWait(copies[at], tick, microseconds) : IsUnansweredBy(copies[at], tick, microseconds))
            && !copies[at].WasAnsweredLate;
    }

    /// <summary>Whether the event was delivered between two ticks.</summary>
    public bool WasDeliveredBetween(long after, long before) => deliveries.Exists(delivery => delivery.Tick > after && delivery.Tick < before);

    /// <summary>The writes of each incarnation that received the event, as far as they can be distinguished.</summary>
    /// <param name="givenUp">The tick from which no order is promised.</param>
    public IEnumerable<IncarnationWrites> OfIncarnations(long givenUp)
    {
        for (var at = 0; at < requests.Count && requests[at].Tick < givenUp; at++)
        {
            var request = requests[at];
            var given = deliveries.FindLastIndex(delivery => delivery.Tick < request.Tick);
            if (given >= 0)
            {
                var stored = copies.Find(copy => copy.Stored > request.Tick && copy.Latest.Connection == request.Connection).Stored;
                yield return new IncarnationWrites(deliveries[given].Incarnation, request.Connection, request.Tick, stored, IsRepeat: at > 0);
            }
        }
    }

    // Uses a lost answer to an earlier copy over this connection (any connection when it is 0). Each lost answer is used for one copy.
    private bool TakeLostAnswer(int at, ushort connection)
    {
        var copy = copies[at].Latest;
        var lost = copies.FindLastIndex(
            at - 1,
            before => !before.IsRepeated && (connection == 0 || before.Latest.Connection == connection) && IsUnanswered(before, copy.Tick, copy.Microseconds)
        );
        if (lost < 0)
        {
            return false;
        }

        copies[lost] = copies[lost] with { IsRepeated = true };
        return true;
    }

    // A writer whose connection was cut sends again over the next one, once. Another copy over that one is not caused by the lost answer.
    private bool TakeLostAnswerOfAnother(int at) => CopiesOver(copies[at].Latest.Connection, at) == 0 && TakeLostAnswer(at, connection: 0);

    private bool IsOfAnotherDelivery(int at, List<Incarnation> incarnations) =>
        WasDeliveredBetween(copies[at - 1].Earliest.Tick, copies[at].Latest.Tick) || IsOfAnotherOwner(at) || IsOfEarlierReading(at, incarnations);

    private bool WasClaimedBetween(long after, long before) => claims.Exists(claim => claim > after && claim < before);

    // Another owner, which also received the event, has tried to write it and failed.
    private bool HasFailedElsewhere(ushort connection, long tick) =>
        DeliveriesBefore(tick) > 1
        && requests.Exists(request => request.Tick < tick && !request.IsStored && (connection == 0 || request.Connection != connection));

    private int DeliveriesBefore(long tick) => deliveries.Count(delivery => delivery.Tick < tick);

    // The answer was lost, or had not arrived at the end of its writer's time limit.
    private bool IsUnanswered(Copy copy, long tick, long microseconds) => WasHeldUp(copy, microseconds) || IsUnansweredBy(copy, tick, microseconds);

    private bool IsUnansweredBy(Copy copy, long tick, long microseconds) =>
        copy.Answered > 0 && copy.Answered < tick
            ? WasAnswerCutOff(copy, tick) || WasAnswerNotRead(copy, tick, microseconds)
            : (copy.Answered == 0 && context.VerificationCounts.AnswersRecorded) || MayWait(copy, tick, microseconds);

    private bool WasHeldUp(Copy copy, long microseconds) =>
        context.Standstills.Explains(copy.Earliest.Microseconds, copy.Answered > 0 ? copy.AnsweredAt : microseconds, microseconds);

    // The answer had not arrived by then: the connection may have been cut, or the writer has waited long enough.
    private bool MayWait(Copy copy, long tick, long microseconds) =>
        context.QueueCuts.AnyBetween(copy.Earliest.Tick, tick) || microseconds - copy.Earliest.Microseconds >= AnswerTimeout;

    // An answer is lost when its connection ends before the writer has read it. The journal may record the answer after the cut.
    private bool WasAnswerCutOff(Copy copy, long tick) =>
        context.Connections.GetCut(copy.Latest.Connection) is { } cut
        && cut.Tick > copy.Earliest.Tick
        && cut.Tick < tick
        && cut.Microseconds - copy.AnsweredAt <= AnswerTimeout;

    // A process that was paused gives up its requests when it resumes, although the answers have arrived or arrive immediately.
    private bool WasAnswerNotRead(Copy copy, long tick, long microseconds) =>
        context.Connections.WasSilent(copy.Latest.Connection, copy.Earliest.Tick, copy.Earliest.Microseconds, copy.AnsweredAt, tick, microseconds);

    // Two owners received the event before either wrote it: the first has not noticed yet that it lost the partition.
    private bool IsOfAnotherOwner(int at)
    {
        var copy = copies[at].Latest;
        return copy.Connection != 0 && CopiesOver(copy.Connection, at) == 0 && OwnersBefore(copy.Tick) > ConnectionsBefore(at);
    }

    // A process that received the event again writes it again although its earlier delivery is still to be written. Its connection is older than its last
    // reading, and it has written the event less often than it received it. Readings without an owner's name may all belong to one process.
    private bool IsOfEarlierReading(int at, List<Incarnation> incarnations)
    {
        var copy = copies[at].Latest;
        var last = deliveries.FindLastIndex(delivery => delivery.Tick < copy.Tick);
        return last >= 0
            && incarnations[deliveries[last].Incarnation] is var reading
            && context.Connections.IsOlderThan(copy.Connection, reading.Since)
            && CopiesOver(copy.Connection, at)
                < deliveries.Count(delivery => delivery.Tick < copy.Tick && incarnations[delivery.Incarnation].Owner == reading.Owner);
    }

    private int CopiesOver(ushort connection, int before) => copies.Take(before).Count(copy => copy.Latest.Connection == connection);

    private int ConnectionsBefore(int at) => copies.Take(at).Select(static copy => copy.Latest.Connection).Distinct().Count();

    private int OwnersBefore(long tick) =>
        deliveries.Where(delivery => delivery.Tick < tick).Select(static delivery => delivery.Incarnation).Distinct().Count();

    /// <summary>A message that arrived.</summary>
    private readonly record struct Request(long Tick, long Microseconds, ushort Connection)
    {
        /// <summary>Whether a stored message was assigned to it.</summary>
        public bool IsStored { get; init; }
    }

    /// <summary>A stored message, with the first and the last request that it can belong to.</summary>
    private readonly record struct Copy(Request Earliest, Request Latest, long Stored, bool IsDeduplicated)
    {
        /// <summary>When its answer was sent. 0 for never.</summary>
        public long Answered { get; init; }

        /// <summary>The same as a time.</summary>
        public long AnsweredAt { get; init; }

        /// <summary>Whether another copy was sent because its answer was lost.</summary>
        public bool IsRepeated { get; init; }

        public bool WasAnsweredLate => Answered > 0 && AnsweredAt - Earliest.Microseconds >= AnswerTimeout;
    }
}

/// <summary>One write of an event by one incarnation.</summary>
/// <param name="Incarnation">The last incarnation that received the event before.</param>
/// <param name="Connection">The connection that brought it, which may differ between owners. 0 when it is not recorded.</param>
/// <param name="Begun">When it arrived.</param>
/// <param name="Stored">When a message of the event was stored over the same connection after that. 0 for never.</param>
/// <param name="IsRepeat">Whether the event had been written before.</param>
internal readonly record struct IncarnationWrites(int Incarnation, ushort Connection, long Begun, long Stored, bool IsRepeat);
