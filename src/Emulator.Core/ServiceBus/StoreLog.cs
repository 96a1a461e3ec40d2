using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Writes the changes of a store's messages, one record for changes that must be atomic. Guarded by the gate of the store. <see cref="StoreReplay"/> reads it.
/// </summary>
internal sealed class StoreLog(EntityLog log, Action<StoreLog> describe)
{
    /// <summary>A log with fewer dead bytes is not rewritten.</summary>
    private const long ToleratedDeadBytes = 16 * 1024 * 1024;

    /// <summary>The flags of a message in one byte, next to its delivery count.</summary>
    public const int DeferredFlag = 1;

    public const int ScheduledFlag = 2;

    private const int IdsPerRecord = 10_000;

    private readonly RecordWriter _record = new();
    private EntityLog _log = log;
    private long _nextAttempt;

    /// <summary>Writes the whole state into a new log.</summary>
    public void Describe() => describe(this);

    public void Queue(QueueSettings settings) => Append(Settings(Start(StoreRecord.Queue), settings));

    public void Topic(TopicSettings settings) =>
        Append(Notes(Span(Span(Start(StoreRecord.Topic).Text(settings.Name), settings.TimeToLive), settings.DuplicateDetection), settings.Notes));

    public void Subscription(int id, DateTimeOffset created, QueueSettings settings) =>
        Append(Settings(Start(StoreRecord.Subscription).Int32(id).Time(created), settings));

    public void SubscriptionGone(int id) => Append(Start(StoreRecord.SubscriptionGone).Int32(id));

    public void Rules(int id, IReadOnlyList<SubscriptionRule> rules)
    {
        Start(StoreRecord.Rules).Int32(id).Int32(rules.Count);
        foreach (var rule in rules)
        {
            _record.Text(rule.Name).Time(rule.Created).Bytes(rule.Filter.Encode());
        }

        Append(_record);
    }

    /// <returns>The place of the record, for <see cref="Withdrawn"/>.</returns>
    public long Enqueued(IReadOnlyList<Arrival> arrivals) => Append(arrivals, StoreRecord.Enqueued);

    public void Kept(Arrival arrival) => Append([arrival], StoreRecord.Kept);

    /// <summary>
    /// Undoes <see cref="Enqueued"/>, including ids that count as used. If that fails too, the messages exist after a restart although they were not
    /// acknowledged.
    /// </summary>
    public void Withdrawn(long at)
    {
        try
        {
            _log.Retract(at);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The first failure is reported.
        }
    }

    public void Removed(MessageQueue queue, IReadOnlyList<QueuedMessage> messages)
    {
        Start(StoreRecord.Removed).Int32(queue.Id).Int32(messages.Count);
        foreach (var message in messages)
        {
            _record.Int64(message.Sequence);
        }

        Append(_record);
    }

    public void Changed(QueuedMessage message, int deliveryCount, bool isDeferred, MessageContent content)
    {
        Start(StoreRecord.Changed).Int32(message.Queue.Id).Int64(message.Sequence).Int32(deliveryCount).Byte(isDeferred ? (byte)1 : (byte)0);
        Append(ContentIfOther(message, content));
    }

    public void Moved(QueuedMessage message, DateTimeOffset now, MessageContent content, IReadOnlyList<QueuedMessage> copies)
    {
        Start(StoreRecord.Moved).Int32(message.Queue.Id).Int64(message.Sequence).Time(now).Int32(copies.Count);
        foreach (var copy in copies)
        {
            _record.Int32(copy.Queue.Id).Int64(copy.Sequence).Int32(copy.DeliveryCount);
        }

        Append(ContentIfOther(message, content));
    }

    public void Remembered(IReadOnlyCollection<(string Id, DateTimeOffset Used)> ids)
    {
        // A window may hold more than fits into one record.
        foreach (var some in ids.Chunk(IdsPerRecord))
        {
            Start(StoreRecord.Remembered).Int32(some.Length);
            foreach (var (id, used) in some)
            {
                _record.Text(id).Time(used);
            }

            Append(_record);
        }
    }

    public void LastSequence(MessageQueue queue) => Append(Start(StoreRecord.LastSequence).Int32(queue.Id).Int64(queue.Contents.LastSequence));

    /// <summary>Rewrites the log when most of its records are about removed messages.</summary>
    public void CompactIfDue(long liveBytes)
    {
        if (_log.Length - liveBytes <= Math.Max(ToleratedDeadBytes, liveBytes) || _log.Length < _nextAttempt)
        {
            return;
        }

        var whole = _log;
        try
        {
            whole.Rewrite(fresh =>
            {
                _log = fresh;
                describe(this);
            });
            _nextAttempt = 0;
        }
        catch (Exception)
        {
            // The old log is complete and stays in use. The disk may have room for a second one later. The failure does not concern the caller, whose record is
            // written.
            _nextAttempt = whole.Length + ToleratedDeadBytes;
        }
        finally
        {
            _log = whole;
        }
    }

    private static RecordWriter Settings(RecordWriter record, QueueSettings settings)
    {
        record.Text(settings.Name).Int64(settings.LockDuration.Ticks).Int32(settings.MaximumDeliveryCount);
        Span(Span(record, settings.TimeToLive), settings.DuplicateDetection);
        record.Byte(settings.DeadLetterExpired ? (byte)1 : (byte)0).Text(settings.ForwardTo).Text(settings.ForwardDeadLettersTo);
        return Notes(record, settings.Notes);
    }

    private static RecordWriter Notes(RecordWriter record, EntityMetadata notes)
    {
        record.Time(notes.Created).Time(notes.Changed).Int32(notes.Kept.Count);
        foreach (var (name, value) in notes.Kept)
        {
            record.Text(name).Text(value);
        }

        return record;
    }

    private static RecordWriter Span(RecordWriter record, TimeSpan? span) => record.Int64(span?.Ticks ?? -1);

    private long Append(IReadOnlyList<Arrival> arrivals, StoreRecord kind)
    {
        Start(kind).Int32(arrivals.Count);
        foreach (var (content, enqueued, hops, copies) in arrivals)
        {
            _record.Int64(content.Arrival).Time(enqueued).Byte(hops).Int32(copies.Length);
            foreach (var copy in copies)
            {
                _record
                    .Int32(copy.Queue.Id)
                    .Int64(copy.Sequence)
                    .Int64(copy.ScheduledFor?.UtcTicks ?? 0)
                    .Int32(copy.DeliveryCount)
                    .Byte((byte)((copy.IsDeferred ? DeferredFlag : 0) | (copy.WasScheduled ? ScheduledFlag : 0)));
            }

            _record.Bytes(content.Encode());
        }

        return Append(_record);
    }

    private RecordWriter ContentIfOther(QueuedMessage message, MessageContent content) =>
        content == message.Content ? _record.Bytes([]) : _record.Bytes(content.Encode());

    private RecordWriter Start(StoreRecord kind) => _record.Start((byte)kind);

    private long Append(RecordWriter record)
    {
        try
        {
            return _log.Append(record);
        }
        catch (UnauthorizedAccessException exception)
        {
            // Another form in which a disk refuses. Callers handle only IOException.
            throw new IOException(exception.Message, exception);
        }
    }
}
