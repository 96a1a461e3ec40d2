using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>What has happened to one event of the run. Ticks are 0 when it never happened.</summary>
internal struct EventState
{
    public long Sequence;
    public long Appended;

    /// <summary>The sinks that must have it in the end.</summary>
    public SinkSet Required;

    /// <summary>Whether the ledger has a row for it.</summary>
    public bool HasRow;

    public bool Acknowledged;
    public bool Unknown;
    public bool SharedRow;

    /// <summary>The stamp's index.</summary>
    public long Index;

    /// <summary>The partition key's hash. 0 for none.</summary>
    public ulong Key;

    public int Deliveries;
    public int Accepts;
    public int Deduplicated;
    public int Stores;

    /// <summary>Uploads of the blob whose arrival is in the journal.</summary>
    public int BlobsBegun;

    /// <summary>Tick of its first delivery.</summary>
    public long Delivered;

    /// <summary>Copies in the queue without a cause.</summary>
    public int WithoutCause;

    public long MessageBegun;
    public long MessageStored;
    public long BlobBegun;
    public long BlobStored;

    /// <summary>The first arrival of the blob as a time in microseconds.</summary>
    public long BlobBegunAt;

    /// <summary>Tick of the last arrival of the blob.</summary>
    public long LastBlobBegun;

    /// <summary>Whether the archive has its blob now.</summary>
    public bool IsArchived;

    /// <summary>Tick of its first dead letter, for any sinks.</summary>
    public long DeadLettered;

    /// <summary>Ticks of the first dead letters that name the queue and the archive.</summary>
    public long MessageGivenUp;
    public long BlobGivenUp;

    /// <summary>Whether there is a dead letter in the end, and the sinks that it names.</summary>
    public bool IsDeadLettered;
    public SinkSet Named;

    public long Expired;

    /// <summary>The places of the handlers that must acknowledge it, as bits, and of those that have.</summary>
    public int Handlers;
    public int HandlersAcknowledged;

    /// <summary>The line of the consumer's record at which the last of them acknowledged it for the first time.</summary>
    public long LastHandlerLine;

    /// <summary>Whether each handler has acknowledged it.</summary>
    public readonly bool HandlersDone => Handlers != 0 && HandlersAcknowledged == Handlers;

    // The record has no ticks. An event cannot have been acknowledged before it was delivered.
    private readonly long HandlersSettled => Earlier(HandlersDone ? Math.Max(1, Delivered) : 0, DeadLettered);

    /// <summary>Tick of the first moment at which the queue had it, or a dead letter that names the queue. 0 for never.</summary>
    public readonly long MessageSettled => Earlier(MessageStored, MessageGivenUp);

    /// <summary>The same for the archive.</summary>
    public readonly long BlobSettled => Earlier(BlobStored, BlobGivenUp);

    /// <summary>Tick of the first moment at which each required sink had it, or a dead letter that names the sink. 0 for never.</summary>
    public readonly long Completed => Required == SinkSet.Handlers ? HandlersSettled : AtEachRequired(MessageSettled, BlobSettled);

    /// <summary>The sinks that have it in the end.</summary>
    public readonly SinkSet Written =>
        (MessageStored > 0 ? SinkSet.Queue : SinkSet.None) | (IsArchived ? SinkSet.Archive : SinkSet.None) | (HandlersDone ? SinkSet.Handlers : SinkSet.None);

    /// <summary>The required sinks that do not have it in the end and that no dead letter names.</summary>
    public readonly SinkSet Missing => Required & ~(Written | Named);

    /// <summary>Tick of the first beginning at any sink. 0 when there was none.</summary>
    public readonly long Begun => Earlier(MessageBegun, BlobBegun);

    /// <summary>Whether retention removed it before any reader received it.</summary>
    public readonly bool IsExpired => Expired > 0 && Deliveries == 0 && Completed == 0;

    /// <summary>
    /// The tick at which it may have been complete although the journal has no record of that. The missing writes had begun when an emulator ended, which
    /// stores before it records. The emulator that followed was too old to record them. 0 when that explains nothing.
    /// </summary>
    public readonly long PerhapsCompleted(long lastRestart) =>
        Completed == 0 ? AtEachRequired(CountPossible(MessageSettled, MessageBegun, lastRestart), CountPossible(BlobSettled, BlobBegun, lastRestart)) : 0;

    // The later of the ticks of the required sinks. 0 when one of them is 0.
    private readonly long AtEachRequired(long message, long blob) =>
        Required switch
        {
            SinkSet.Queue => message,
            SinkSet.Archive => blob,
            SinkSet.Handlers => 0,
            _ => message > 0 && blob > 0 ? Math.Max(message, blob) : 0,
        };

    private static long CountPossible(long stored, long begun, long lastRestart) =>
        stored > 0 ? stored
        : begun < lastRestart ? begun
        : 0;

    private static long Earlier(long first, long second) => first > 0 && second > 0 ? Math.Min(first, second) : Math.Max(first, second);
}
