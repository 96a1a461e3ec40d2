using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Builds a store from the records of <see cref="StoreLog"/>.</summary>
internal sealed class StoreReplay(MessageStore store)
{
    /// <summary>The queue of a queue's log. Null until it is described.</summary>
    public MessageQueue? Queue { get; private set; }

    /// <summary>The topic of a topic's log. Null until it is described.</summary>
    public Topic? Topic { get; private set; }

    /// <summary>Creates the queue on the first call, changes it on later ones.</summary>
    public void Describe(QueueSettings settings)
    {
        if (Queue is null)
        {
            Queue = store.AddQueue(0, settings.Name, settings);
        }
        else
        {
            Queue.Adopt(settings);
            store.Resize(settings.DuplicateDetection);
        }
    }

    /// <summary>Creates the topic on the first call, changes it on later ones.</summary>
    public void Describe(TopicSettings settings)
    {
        if (Topic is null)
        {
            Topic = new Topic(store, settings);
        }
        else
        {
            Topic.Adopt(settings);
        }
    }

    /// <exception cref="InvalidDataException">No version of this program writes this record.</exception>
    public void Apply(LogRecord record)
    {
        var reader = new RecordReader(record.Payload);
        try
        {
            Apply((StoreRecord)reader.Byte(), ref reader);
        }
        catch (AmqpException exception)
        {
            throw new InvalidDataException(exception.Message, exception);
        }
    }

    private static QueueSettings Settings(ref RecordReader reader) =>
        new(Name(ref reader))
        {
            LockDuration = new TimeSpan(reader.Int64()),
            MaximumDeliveryCount = reader.Int32(),
            TimeToLive = Span(ref reader),
            DuplicateDetection = Span(ref reader),
            DeadLetterExpired = reader.Byte() != 0,
            ForwardTo = reader.Text(),
            ForwardDeadLettersTo = reader.Text(),
            Notes = Notes(ref reader),
        };

    private static EntityMetadata Notes(ref RecordReader reader)
    {
        var (created, changed) = (reader.Time(), reader.Time());
        var kept = new Dictionary<string, string>(StringComparer.Ordinal);
        for (var left = reader.Int32(); left > 0; left--)
        {
            kept.Add(Name(ref reader), Name(ref reader));
        }

        return new EntityMetadata
        {
            Created = created,
            Changed = changed,
            Kept = kept,
        };
    }

    private static TimeSpan? Span(ref RecordReader reader) => reader.Int64() is >= 0 and var ticks ? new TimeSpan(ticks) : null;

    private static string Name(ref RecordReader reader) => reader.Text() ?? throw new InvalidDataException("a name is missing");

    private void Apply(StoreRecord kind, ref RecordReader reader)
    {
        switch (kind)
        {
            case StoreRecord.Queue:
                Describe(Settings(ref reader));
                break;
            case StoreRecord.Topic:
                Describe(
                    new TopicSettings(Name(ref reader))
                    {
                        TimeToLive = Span(ref reader),
                        DuplicateDetection = Span(ref reader),
                        Notes = Notes(ref reader),
                    }
                );
                break;
            case StoreRecord.Subscription:
                TheTopic().Restore(reader.Int32(), reader.Time(), Settings(ref reader));
                break;
            case StoreRecord.SubscriptionGone:
                TheTopic().Forget(reader.Int32());
                break;
            case StoreRecord.Rules:
                ReadRules(ref reader);
                break;
            case StoreRecord.Enqueued:
            case StoreRecord.Kept:
                ReadMessages(ref reader, isNew: kind == StoreRecord.Enqueued);
                break;
            case StoreRecord.Removed:
                ReadRemoved(ref reader);
                break;
            case StoreRecord.Changed:
                ReadChanged(ref reader);
                break;
            case StoreRecord.Moved:
                ReadMoved(ref reader);
                break;
            case StoreRecord.Remembered:
                for (var left = reader.Int32(); left > 0; left--)
                {
                    Remember(Name(ref reader), reader.Time());
                }

                break;
            case StoreRecord.LastSequence:
                TheQueue(reader.Int32()).Contents.LastSequence = reader.Int64();
                break;
            default:
                throw new InvalidDataException($"a record of the unknown kind {(byte)kind}");
        }
    }

    private Topic TheTopic() => Topic ?? throw new InvalidDataException("a subscription without its topic");

    private MessageQueue TheQueue(int id) => store.Queue(id) ?? throw new InvalidDataException($"the unknown queue {id}");

    private QueuedMessage TheMessage(ref RecordReader reader)
    {
        var queue = TheQueue(reader.Int32());
        var sequence = reader.Int64();
        return queue.Contents.Messages.Find(sequence) ?? throw new InvalidDataException($"the unknown message {sequence}");
    }

    private void ReadRules(ref RecordReader reader)
    {
        var id = reader.Int32();
        var rules = new List<SubscriptionRule>();
        for (var left = reader.Int32(); left > 0; left--)
        {
            rules.Add(new SubscriptionRule(Name(ref reader), reader.Time(), RuleFilter.Decode(reader.Bytes().ToArray())));
        }

        TheTopic().RestoreRules(id, rules);
    }

    private void ReadMessages(ref RecordReader reader, bool isNew)
    {
        for (var left = reader.Int32(); left > 0; left--)
        {
            var arrival = reader.Int64();
            var enqueued = reader.Time();
            var hops = reader.Byte();
            var places = new List<Place>();
            for (var copies = reader.Int32(); copies > 0; copies--)
            {
                places.Add(new Place(TheQueue(reader.Int32()), reader.Int64(), reader.Int64(), reader.Int32(), reader.Byte()));
            }

            var content = MessageContent.Read(reader.Bytes());
            content.Arrival = arrival;
            store.Numbers.Found(Queue?.Name ?? TheTopic().Name, content, hops);
            foreach (var (queue, sequence, scheduled, deliveryCount, flags) in places)
            {
                queue.Contents.Restore(
                    new QueuedMessage(queue, sequence, enqueued, content)
                    {
                        ScheduledFor = scheduled == 0 ? null : new DateTimeOffset(scheduled, TimeSpan.Zero),
                        Hops = hops,
                        DeliveryCount = deliveryCount,
                        IsDeferred = (flags & StoreLog.DeferredFlag) != 0,
                        WasScheduled = (flags & StoreLog.ScheduledFlag) != 0,
                    }
                );
            }

            if (isNew)
            {
                Remember(content.MessageId, enqueued);
            }
        }
    }

    private void ReadRemoved(ref RecordReader reader)
    {
        var contents = TheQueue(reader.Int32()).Contents;
        for (var left = reader.Int32(); left > 0; left--)
        {
            contents.Discard(reader.Int64());
        }
    }

    private void ReadChanged(ref RecordReader reader)
    {
        var message = TheMessage(ref reader);
        message.DeliveryCount = reader.Int32();
        message.IsDeferred = reader.Byte() != 0;
        if (reader.Bytes() is { IsEmpty: false } encoded)
        {
            message.Queue.Contents.Replace(message, Changed(message, encoded));
        }
    }

    private void ReadMoved(ref RecordReader reader)
    {
        var message = TheMessage(ref reader);
        var now = reader.Time();
        var places = new List<Place>();
        for (var copies = reader.Int32(); copies > 0; copies--)
        {
            places.Add(new Place(TheQueue(reader.Int32()), reader.Int64(), 0, reader.Int32(), 0));
        }

        var encoded = reader.Bytes();
        var content = encoded.IsEmpty ? message.Content : Changed(message, encoded);
        foreach (var (queue, sequence, _, deliveryCount, _) in places)
        {
            queue.Contents.Restore(
                new QueuedMessage(queue, sequence, now, content)
                {
                    Hops = message.Hops,
                    DeliveryCount = deliveryCount,
                    WasScheduled = message.ScheduledFor is not null,
                }
            );
        }

        message.Queue.Contents.Discard(message.Sequence);
    }

    private static MessageContent Changed(QueuedMessage message, ReadOnlyMemory<byte> encoded)
    {
        var content = MessageContent.Read(encoded);
        content.Arrival = message.Content.Arrival;
        return content;
    }

    private void Remember(string id, DateTimeOffset used)
    {
        if (store.Duplicates is { } window)
        {
            // An id may have been used again after its time. Its memory is always charged, because the use was acknowledged.
            window.Pass(used);
            store.Budget.Release(-DuplicateWindow.GetCost(id));
            window.Remember(id, used);
        }
    }

    private readonly record struct Place(MessageQueue Queue, long Sequence, long Scheduled, int DeliveryCount, byte Flags);
}
