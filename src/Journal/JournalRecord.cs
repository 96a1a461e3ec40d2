namespace EventHubThroughput.Journal;

/// <summary>
/// One event inside the emulator. The writer assigns the ticks: one strictly increasing count over all kinds. Hashes are SHA-256 as lower-case hexadecimal
/// text. Sequences and positions are numbers, offsets opaque text.
/// </summary>
public abstract record JournalRecord
{
    /// <summary>The record's place in the order of all records. 0 until written.</summary>
    public long Tick { get; init; }

    /// <summary>The time in microseconds of a monotonic clock since the journal was started. 0 until written.</summary>
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
/// <c>eh.attach</c>: a reader's link was opened on a partition. The sequence number is that of the first event that it may receive. The client's identifier
/// is the receiver name of the link, null for a link without one.
/// </summary>
public sealed record ReaderAttached(string Hub, string Group, string Partition, long Sequence, string Link, long? OwnerLevel, string? ClientId) : JournalRecord;

/// <summary>
/// <c>eh.deliver</c>: one or several events were delivered to a reader's link. The link is the reader's incarnation. The owner level is null for one that
/// reads without claiming the partition, and in journals older than version 4.
/// </summary>
public sealed record EventDelivered(string Hub, string Group, string Partition, long Sequence, string Link, long? OwnerLevel) : JournalRecord
{
    /// <summary>The number of events, with consecutive sequence numbers. 1 in journals older than version 8.</summary>
    public int Count { get; init; } = 1;
}

/// <summary><c>eh.expire</c>: retention is about to remove an event. No reader receives it from now on.</summary>
public sealed record EventExpired(string Hub, string Partition, long Sequence) : JournalRecord;

/// <summary>
/// <c>em.start</c>: an emulator continues the journal of an earlier one, which had ended or was killed. Earlier connections and links are gone, and their
/// numbers may be used again.
/// </summary>
public sealed record EmulatorStarted : JournalRecord;

/// <summary>
/// <c>em.found</c>: the records until here describe a data directory that existed when the journal began. No client in the journal stored it.
/// </summary>
public sealed record StateFound : JournalRecord;

/// <summary>
/// <c>em.stood</c>: the emulator was paused for some time until now, because its process or machine was. Its clients may have given up requests in their
/// sockets, and have sent them again.
/// </summary>
/// <param name="Stood">The longest possible duration, in microseconds.</param>
public sealed record EmulatorPaused(long Stood) : JournalRecord;

/// <summary>
/// <c>ns.read</c>: the journal is not an emulator's: a partition was read back from a namespace, from this sequence number on. It is above 0 when retention
/// has removed earlier events.
/// </summary>
public sealed record PartitionReadBack(string Hub, string Partition, long Sequence) : JournalRecord;

/// <summary>The three moments of a write: the whole request was received, it was stored, its answer was written to the socket.</summary>
public enum WriteMoment
{
    /// <summary>The whole request has been received.</summary>
    Begun,

    /// <summary>The message or blob has been stored.</summary>
    Stored,

    /// <summary>The answer was written to the socket.</summary>
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
    /// The number that the emulator assigned when it accepted the message, increasing over all queues and topics. Null before that, for duplicates, and in
    /// journals older than version 5.
    /// </summary>
    public long? Arrival { get; init; }

    /// <summary>The connection that brought it. Null if it is not known, and in journals older than version 9.</summary>
    public string? Connection { get; init; }
}

/// <summary>
/// <c>blob.begin</c>, <c>blob.stored</c>, and in journals older than version 8 <c>blob.answered</c>: a blob upload. Since version 8 a beginning has no
/// metadata and no content type.
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
    /// <summary>Hash of the properties in the metadata <c>properties</c> (base64), which is then left out of the metadata here.</summary>
    public string? PropertiesSha256 { get; init; }

    /// <summary>
    /// Whether the metadata <c>sha256</c> and <c>length</c> equal this record's values of the content. They are then left out of the metadata here.
    /// </summary>
    public bool Restated { get; init; }
}

/// <summary><c>blob.delete</c>: a blob is about to be removed. The version is the removed one.</summary>
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

/// <summary><c>sb.deliver</c>: a message is about to be delivered to a receiver's link, locked or removed.</summary>
public sealed record MessageDelivered(string Entity, string MessageId, long Sequence, string Link) : JournalRecord;

/// <summary>
/// <c>sb.settle</c>: a locked message was settled. The outcome is <c>complete</c>, <c>abandon</c>, <c>release</c>, <c>defer</c> or <c>dead-letter</c>. The
/// link is absent when a request settled it.
/// </summary>
public sealed record MessageSettled(string Entity, string MessageId, long Sequence, string Outcome, string? Link) : JournalRecord;

/// <summary>
/// <c>sb.rule</c>: rules of a subscription could not be evaluated for a message, because all rules together had used the steps that a message is allowed.
/// They do not match the message. Written before the message is stored.
/// </summary>
/// <param name="Entity">The subscription, by its path.</param>
/// <param name="MessageId">The message.</param>
/// <param name="Rule">The first of the rules.</param>
public sealed record RulesNotEvaluated(string Entity, string MessageId, string Rule) : JournalRecord
{
    /// <summary>The number of such rules of the subscription.</summary>
    public int Count { get; init; } = 1;
}

/// <summary>
/// <c>sb.cut</c>: a connection that had brought messages ended without an AMQP close, so that answers to them may not have been read. The writes of
/// <see cref="MessageWritten"/> name the same connection.
/// </summary>
public sealed record ConnectionCut(string Connection) : JournalRecord;

/// <summary>
/// <c>fault</c>: the emulator is about to execute a fault of its laboratory. Written before the effect, so that the consequences of a fault are counted and
/// not guessed.
/// </summary>
public sealed record FaultInjected(string Fault, string Point, string Action, string Target) : JournalRecord;
