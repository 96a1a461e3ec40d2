using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>What has happened to one event of the run. Ticks are 0 when it never happened.</summary>
internal struct EventState
{
    public long Sequence;
    public long Appended;

    /// <summary>Whether the ledger has a row for it.</summary>
    public bool HasRow;

    public bool Acknowledged;
    public bool Unknown;
    public bool SharedRow;

    /// <summary>The stamp's index.</summary>
    public long Index;

    /// <summary>The partition key's hash; 0 for none.</summary>
    public ulong Key;

    public int Deliveries;
    public int Accepts;
    public int Deduplicated;
    public int Answers;
    public int Stores;

    /// <summary>Messages and blobs whose arrival the journal tells.</summary>
    public int MessagesBegun;
    public int BlobsBegun;

    /// <summary>Tick of its first delivery.</summary>
    public long Delivered;

    /// <summary>Copies that the emulator itself made, because a fault asked for it.</summary>
    public int Injected;

    /// <summary>Copies that began after a cut of the connection that came after the copy before, or after a time without its answer.</summary>
    public int AskedAgain;

    /// <summary>Who writes its dead letter again; 0 for nobody.</summary>
    public long Claim;

    /// <summary>How often somebody took that over from somebody else, who may have written it before he was killed.</summary>
    public int TakenOver;

    /// <summary>Whether its dead letter was removed, so that it counts no more.</summary>
    public bool IsRemoved;

    public long MessageBegun;
    public long MessageStored;
    public long BlobBegun;
    public long BlobStored;
    public long DeadLettered;
    public long Expired;

    /// <summary>Tick of the first moment at which both sinks had it; 0 when that never came.</summary>
    public readonly long Written => MessageStored > 0 && BlobStored > 0 ? Math.Max(MessageStored, BlobStored) : 0;

    /// <summary>Tick of the first moment at which both sinks, or the dead-letter store, had it; 0 when that never came.</summary>
    public readonly long Completed => Earlier(Written, DeadLettered);

    /// <summary>Whether it is among the dead letters.</summary>
    public readonly bool IsDeadLettered => DeadLettered > 0 && !IsRemoved;

    /// <summary>Whether it is where it has to be in the end.</summary>
    public readonly bool IsKept => Written > 0 || IsDeadLettered;

    /// <summary>Tick of the first beginning at any sink; 0 when there was none.</summary>
    public readonly long Begun => Earlier(MessageBegun, BlobBegun);

    /// <summary>Whether retention took it before anybody received it.</summary>
    public readonly bool IsExpired => Expired > 0 && Deliveries == 0 && Completed == 0;

    /// <summary>
    /// The tick at which it may have been complete although the journal does not say so: what is missing had begun when an emulator
    /// ended, which stores before it records, and the one that followed was too old to tell. 0 when that explains nothing.
    /// </summary>
    public readonly long PerhapsCompleted(long lastRestart) =>
        Completed == 0
        && Perhaps(MessageStored, MessageBegun, lastRestart) is > 0 and var message
        && Perhaps(BlobStored, BlobBegun, lastRestart) is > 0 and var blob
            ? Math.Max(message, blob)
            : 0;

    private static long Perhaps(long stored, long begun, long lastRestart) =>
        stored > 0 ? stored
        : begun < lastRestart ? begun
        : 0;

    private static long Earlier(long first, long second) => first > 0 && second > 0 ? Math.Min(first, second) : Math.Max(first, second);
}
