using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Facts;

/// <summary>What a fact records about its event.</summary>
internal enum FactKind : byte
{
    /// <summary>It was appended. The number is the index of its stamp.</summary>
    Appended,

    /// <summary>It has an offset that is not its sequence number. The number is the offset's hash.</summary>
    OddOffset,

    /// <summary>It was delivered to a reader. The number is the reader's incarnation.</summary>
    Delivered,

    /// <summary>Retention removed it.</summary>
    Expired,

    /// <summary>Its message began to arrive. The length is the microsecond.</summary>
    MessageBegun,

    /// <summary>Its message was stored. The number is the index of its stamp.</summary>
    MessageStored,

    /// <summary>Its message was answered. The length is the microsecond.</summary>
    MessageAnswered,

    /// <summary>A fault is about to store its message again.</summary>
    MessageInjected,

    /// <summary>Its blob began to arrive. The number is the microsecond.</summary>
    BlobBegun,

    BlobStored,

    /// <summary>Its blob was removed from the archive.</summary>
    BlobRemoved,

    /// <summary>Its dead letter was stored or changed. The number is the hash of its claim, 0 for none.</summary>
    DeadLettered,

    /// <summary>Its dead letter names a partition key. The number is the key's hash.</summary>
    DeadLetterKey,

    /// <summary>The blob with the properties of its dead letter was stored. The properties are in its bytes.</summary>
    SupplementStored,

    /// <summary>That blob was removed.</summary>
    SupplementRemoved,

    /// <summary>Its dead letter was removed.</summary>
    DeadLetterRemoved,

    /// <summary>A checkpoint was stored at it. The number is the hash of the checkpoint's offset.</summary>
    Checkpoint,

    /// <summary>A handler has acknowledged it. The number is the line of the consumer's record, the length the place of the handler.</summary>
    HandlerAcknowledged,

    /// <summary>The consumer was about to store a checkpoint at it. The number is the line of its record.</summary>
    CheckpointBegun,

    /// <summary>The ledger has a row for it. The number is its key's hash.</summary>
    Expected,
}

[Flags]
internal enum FactFlags : short
{
    None = 0,

    /// <summary>The stamp is that of the verified run.</summary>
    OurStamp = 1,

    /// <summary>The stamp is another run's, or names no event.</summary>
    OtherStamp = 2,

    Deduplicated = 4,
    Overwrote = 8,

    /// <summary>The dead letter has a reason.</summary>
    HasReason = 16,

    /// <summary>The offset is the sequence number, as usual.</summary>
    UsualOffset = 32,

    /// <summary>The sender has received a confirmation that it was stored.</summary>
    Acknowledged = 64,

    /// <summary>Several events of the hub belong to one row of the ledger.</summary>
    SharedRow = 128,

    /// <summary>Hash or length in the blob's metadata differ from those of its body.</summary>
    FalseMetadata = 256,

    /// <summary>The dead letter's properties are in a separate blob.</summary>
    PropertiesBeside = 512,

    /// <summary>The dead letter names the queue as a sink without the event.</summary>
    NamesQueue = 1024,

    /// <summary>The dead letter names the archive as a sink without the event.</summary>
    NamesArchive = 2048,

    /// <summary>Fields of the event in the dead letter's metadata are missing or wrong, so that a redrive is impossible.</summary>
    FalseFields = 4096,

    /// <summary>The dead letter has a claim whose limit cannot be read.</summary>
    FalseClaim = 8192,

    /// <summary>The dead letter names another kind of body than bytes. The sender sends only bytes.</summary>
    OtherBodyKind = 16384,
}

/// <summary>One entry of ledger or journal about one event, of fixed size: ten million events have eighty million of them.</summary>
internal readonly record struct Fact : ISortable
{
    private readonly ushort partition;

    public required FactKind Kind { get; init; }

    public FactFlags Flags { get; init; }

    /// <summary>The partition's number.</summary>
    public required int Partition
    {
        get => partition;
        init => partition = checked((ushort)value);
    }

    /// <summary>The connection of a message. 0 when it is not recorded.</summary>
    public ushort Connection { get; init; }

    public required long Sequence { get; init; }

    public long Tick { get; init; }

    public long Number { get; init; }

    /// <summary>The length of the body in bytes, unless the kind defines another meaning.</summary>
    public long Length { get; init; }

    public Digest Body { get; init; }

    /// <summary>Half of the digest of the properties. 0 for none.</summary>
    public ulong Properties { get; init; }

    /// <summary>The content type's hash. 0 for none.</summary>
    public ulong ContentType { get; init; }

    /// <summary>By partition and sequence number. Facts of one event stay in the order of their ticks.</summary>
    public UInt128 Order => new((uint)Partition, (ulong)Sequence ^ (1UL << 63));

    /// <summary>The sinks that a dead letter names.</summary>
    public SinkSet Named => (Is(FactFlags.NamesQueue) ? SinkSet.Queue : SinkSet.None) | (Is(FactFlags.NamesArchive) ? SinkSet.Archive : SinkSet.None);

    public bool Is(FactFlags flag) => (Flags & flag) != FactFlags.None;
}
