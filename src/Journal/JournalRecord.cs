namespace EventHubThroughput.Journal;

/// <summary>
/// One thing that really happened inside the emulator. Ticks are given by the writer: one strictly increasing count over all
/// kinds. Hashes are SHA-256 as lower-case hexadecimal text. Sequences and positions are numbers, offsets opaque text.
/// </summary>
public abstract record JournalRecord
{
    /// <summary>The record's place in the one order of everything. 0 until written.</summary>
    public long Tick { get; init; }

    /// <summary>When it happened: microseconds of a monotonic clock since the journal was started. 0 until written.</summary>
    public long Microseconds { get; init; }
}

/// <summary><c>eh.append</c>: an event was stored in a partition.</summary>
public sealed record EventAppended(
    string Hub,
    string Partition,
    long Sequence,
    string Offset,
    string Sha256,
    long Length,
    string? ContentType,
    string? PropertiesSha256,
    IReadOnlyDictionary<string, string>? Properties
) : JournalRecord;

/// <summary>
/// <c>eh.attach</c>: a reader's link was opened on a partition. The sequence number is that of the first event that it may be given.
/// The client's identifier is the receiver name that the link brought along, null for one that brought none.
/// </summary>
public sealed record ReaderAttached(string Hub, string Group, string Partition, long Sequence, string Link, long? OwnerLevel, string? ClientId) : JournalRecord;

/// <summary>
/// <c>eh.deliver</c>: an event was handed to a reader's link, or several at once. The link is the reader's incarnation. The owner level is null for one
/// that reads without claiming the partition, and in journals older than version 4.
/// </summary>
public sealed record EventDelivered(string Hub, string Group, string Partition, long Sequence, string Link, long? OwnerLevel) : JournalRecord
{
    /// <summary>How many events, whose sequence numbers follow one another. 1 in journals older than version 8.</summary>
    public int Count { get; init; } = 1;
}

/// <summary><c>eh.expire</c>: retention is about to take an event away. Nobody receives it from now on.</summary>
public sealed record EventExpired(string Hub, string Partition, long Sequence) : JournalRecord;

/// <summary>
/// <c>em.start</c>: an emulator goes on with the journal of one before, which had ended or was killed. Connections and links of
/// before are gone, and their numbers may come again.
/// </summary>
public sealed record EmulatorStarted : JournalRecord;

/// <summary>
/// <c>em.found</c>: what was told until here lay in a data directory when the journal was begun. Nobody whom the journal knows stored it.
/// </summary>
public sealed record StateFound : JournalRecord;

/// <summary>
/// <c>em.stood</c>: the emulator did nothing for some time until now, because its process or machine was stopped. Its clients may have given up what lay
/// in their sockets, and have sent it again.
/// </summary>
/// <param name="Stood">For how long at most, in microseconds.</param>
public sealed record EmulatorStood(long Stood) : JournalRecord;

/// <summary>
/// <c>ns.read</c>: the journal was not kept by an emulator: a partition was read back from a namespace, from this sequence number on,
/// which is above 0 when retention has removed what came before.
/// </summary>
public sealed record PartitionReadBack(string Hub, string Partition, long Sequence) : JournalRecord;

/// <summary>The three moments of a write: the whole request was received, it was stored, its answer was handed to the socket.</summary>
public enum WriteMoment
{
    /// <summary>The whole request has been received.</summary>
    Begun,

    /// <summary>The message or blob has been stored.</summary>
    Stored,

    /// <summary>The answer was handed to the socket.</summary>
    Answered,
}

/// <summary><c>sb.begin</c>, <c>sb.accept</c>, <c>sb.answered</c>: a message on its way into a queue.</summary>
public sealed record MessageWritten(
    WriteMoment Moment,
    string Entity,
    string MessageId,
    string? Sha256,
    long Length,
    string? ContentType,
    string? PropertiesSha256,
    IReadOnlyDictionary<string, string>? Properties,
    bool Deduplicated
) : JournalRecord
{
    /// <summary>
    /// The number that the emulator gave it when it took it in, rising over all queues and topics. Null before that, for duplicates, and in
    /// journals older than version 5.
    /// </summary>
    public long? Arrival { get; init; }

    /// <summary>The connection that brought it. Null where that is not known, and in journals older than version 9.</summary>
    public string? Connection { get; init; }
}

/// <summary>
/// <c>blob.begin</c>, <c>blob.stored</c>, and in journals older than version 8 <c>blob.answered</c>: a blob upload. Since version 8 a
/// beginning tells nothing of metadata and content type.
/// </summary>
public sealed record BlobWritten(
    WriteMoment Moment,
    string Container,
    string Name,
    string? Sha256,
    long Length,
    string? ContentType,
    IReadOnlyDictionary<string, string>? Metadata,
    string? ETag,
    bool Overwrote
) : JournalRecord
{
    /// <summary>Hash of the properties that the metadata <c>properties</c> holds as base64, which is not among the metadata then.</summary>
    public string? PropertiesSha256 { get; init; }

    /// <summary>Whether the metadata <c>sha256</c> and <c>length</c> say what this record says of the content. They are not among the metadata then.</summary>
    public bool Restated { get; init; }
}

/// <summary><c>blob.delete</c>: a blob is about to be gone. The version is the one that goes.</summary>
public sealed record BlobDeleted(string Container, string Name, string? ETag) : JournalRecord;

/// <summary><c>ck.write</c>, <c>ck.answered</c>: a checkpoint was stored. Offset and sequence are the stored text.</summary>
public sealed record CheckpointWritten(
    WriteMoment Moment,
    string Container,
    string Hub,
    string Group,
    string Partition,
    string? Offset,
    string? Sequence,
    string? ClientId,
    string? PreviousETag,
    string? ETag
) : JournalRecord;

/// <summary><c>own.write</c>: an ownership was claimed, renewed or given up (empty owner).</summary>
public sealed record OwnershipWritten(string Container, string Hub, string Group, string Partition, string Owner, string? PreviousETag, string? ETag)
    : JournalRecord;

/// <summary><c>sb.deliver</c>: a message is about to be handed to a receiver's link, locked or taken.</summary>
public sealed record MessageDelivered(string Entity, string MessageId, long Sequence, string Link) : JournalRecord;

/// <summary>
/// <c>sb.settle</c>: a locked message was settled. The outcome is <c>complete</c>, <c>abandon</c>, <c>release</c>,
/// <c>defer</c> or <c>dead-letter</c>. The link is absent when it was done by a request.
/// </summary>
public sealed record MessageSettled(string Entity, string MessageId, long Sequence, string Outcome, string? Link) : JournalRecord;

/// <summary>
/// <c>sb.rule</c>: rules of a subscription could not be evaluated for a message, because all rules together had used the steps up that a message has.
/// They take no message. Written before the message is stored.
/// </summary>
/// <param name="Entity">The subscription, by its path.</param>
/// <param name="MessageId">The message.</param>
/// <param name="Rule">The first of the rules.</param>
public sealed record RulesNotEvaluated(string Entity, string MessageId, string Rule) : JournalRecord
{
    /// <summary>How many rules of the subscription.</summary>
    public int Count { get; init; } = 1;
}

/// <summary>
/// <c>sb.cut</c>: a connection that had brought messages ended without an AMQP close, so that answers to them may not have been read. The writes of
/// <see cref="MessageWritten"/> name the same connection.
/// </summary>
public sealed record ConnectionCut(string Connection) : JournalRecord;

/// <summary>
/// <c>fault</c>: the emulator is about to do what a fault of its laboratory asks for. Written before the effect, so that what a
/// fault made ambiguous is counted, not guessed.
/// </summary>
public sealed record FaultInjected(string Fault, string Point, string Action, string Target) : JournalRecord;
