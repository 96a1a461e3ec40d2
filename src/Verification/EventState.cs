namespace EventHubThroughput.Verification;

/// <summary>What has happened to one event of the run so far. Ticks are 0 until it has happened.</summary>
internal struct EventState
{
    public const int NoKey = 0;
    public const int NoRow = -1;

    public long Sequence;

    /// <summary>The place in the ledger, or <see cref="NoRow"/>.</summary>
    public int Row;

    /// <summary>The partition key's number, or <see cref="NoKey"/>.</summary>
    public int Key;

    public string? ContentType;
    public Digest Properties;

    public int Deliveries;
    public int Accepts;
    public int Deduplicated;
    public int Answers;
    public int Stores;

    /// <summary>Copies that the emulator itself made, because a fault asked for it.</summary>
    public int Injected;

    public long MessageBegun;
    public long MessageStored;
    public long BlobBegun;
    public long BlobStored;
    public long DeadLettered;

    public bool Corrupt;

    /// <summary>Tick of the first moment at which both sinks, or the dead-letter store, had it; 0 when that never came.</summary>
    public readonly long Completed
    {
        get
        {
            var written = MessageStored > 0 && BlobStored > 0 ? Math.Max(MessageStored, BlobStored) : 0;
            return written > 0 && DeadLettered > 0 ? Math.Min(written, DeadLettered) : Math.Max(written, DeadLettered);
        }
    }

    /// <summary>Tick of the first beginning at any sink; 0 when there was none.</summary>
    public readonly long Begun => MessageBegun > 0 && BlobBegun > 0 ? Math.Min(MessageBegun, BlobBegun) : Math.Max(MessageBegun, BlobBegun);
}
