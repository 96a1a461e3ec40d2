using System.Globalization;
using System.Runtime.InteropServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// The content of a message that a queue keeps and that does not change between deliveries. It holds the received bytes, in memory or on the disk.
/// </summary>
internal sealed class MessageContent
{
    private static readonly AmqpSymbol EnqueuedSequence = AmqpNames.EnqueuedSequenceNumber;
    private static readonly AmqpSymbol DeadLetterSource = AmqpNames.DeadLetterSource;

    // Null once they are on the disk. Changed only before the content is in a queue.
    private ContentSections? _sections;
    private StoredBytes? _spilled;

    private MessageContent(ContentSections sections) => (_sections, Length) = (sections, sections.Length);

    public required string MessageId { get; init; }

    /// <summary>The time to live in the message's header. It counts from the time at which the message is enqueued.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>The expiry time if the header has no time to live. Clients send both, and compute this one with their clock.</summary>
    public DateTimeOffset? AbsoluteExpiry { get; init; }

    /// <summary>When the sender wants the message enqueued.</summary>
    public DateTimeOffset? ScheduledFor { get; init; }

    /// <summary>The bytes of all sections, in memory or on the disk.</summary>
    public int Length { get; }

    /// <summary>The received bytes. Each call reads them again when they are on the disk.</summary>
    public ContentSections Sections => _sections ?? ContentSections.Of(MessageParts.Parse(Encode()));

    /// <summary>The memory that it takes from the budget, for any number of queues.</summary>
    public long Cost => (_sections is null ? 0 : Length) + (sizeof(char) * MessageId.Length) + MemoryBudget.EntryOverhead;

    /// <summary>The number of queues of one store that hold it. The subscriptions of a topic share it. Guarded by the gate of the store.</summary>
    public int Holders { get; set; }

    /// <summary>The number of its arrival at its entity. Changed copies of it there keep the number.</summary>
    public long Arrival { get; set; }

    /// <summary>Creates the content of a message. A message without an id gets one, because some clients send none and others require one.</summary>
    public static MessageContent Of(MessageParts message)
    {
        var sections = ContentSections.Of(message);
        var id = message.Properties?.MessageId;
        if (id is null)
        {
            id = Guid.NewGuid().ToString("N");
            sections = sections with { Properties = Messages.Sections.OfProperties((message.Properties ?? new MessageProperties()) with { MessageId = id }) };
        }

        return new MessageContent(IsSmallPart(message.Encoded) ? sections.Copy() : sections)
        {
            MessageId = GetText(id) ?? string.Empty,
            // The largest number represents all larger values. Then only the absolute expiry time is exact.
            TimeToLive = message.Header?.Ttl is { } milliseconds and < uint.MaxValue ? TimeSpan.FromMilliseconds(milliseconds) : null,
            AbsoluteExpiry = message.Properties?.AbsoluteExpiryTime?.ToDateTimeOffset(),
            ScheduledFor = (message.Annotations?.Find(AmqpNames.ScheduledEnqueueTime) as AmqpTimestamp?)?.ToDateTimeOffset(),
        };
    }

    /// <summary>Reads a message from a log. Takes ownership of the bytes.</summary>
    public static MessageContent Read(ReadOnlyMemory<byte> encoded) => Of(MessageParts.Parse(encoded.ToArray()));

    /// <summary>Joins the sections.</summary>
    public byte[] Encode()
    {
        if (_sections is { } sections)
        {
            return sections.Encode();
        }

        var bytes = new byte[Length];
        _spilled!.Read(0, bytes);
        return bytes;
    }

    /// <summary>Moves the bytes to the disk if the memory budget requires it. Call it before the content is put into a queue.</summary>
    public void Spill(MemoryBudget budget)
    {
        if (budget.IsSpilling && _sections is { } sections && budget.TrySpill(sections.Encode()) is { } place)
        {
            (_spilled, _sections) = (place, null);
        }
    }

    /// <summary>Creates the same message for another store, which counts its holders separately.</summary>
    public MessageContent Shared() => With(Sections);

    /// <summary>Creates the same message for the target of forwarding, with its sequence number in the entity that received it first.</summary>
    public MessageContent Forwarded(long sequence) => WithAnnotation(EnqueuedSequence, sequence);

    /// <summary>The text of an identifier. AMQP also allows a number, a UUID or bytes.</summary>
    public static string? GetText(object? id) =>
        id switch
        {
            null => null,
            ReadOnlyMemory<byte> bytes => Convert.ToHexStringLower(bytes.Span),
            _ => Convert.ToString(id, CultureInfo.InvariantCulture),
        };

    /// <summary>Adds or replaces application properties, when a message is settled with properties.</summary>
    public MessageContent WithProperties(AmqpMap? changes)
    {
        if (changes is null || changes.Count == 0)
        {
            return this;
        }

        var sections = Sections;
        var merged = sections.DecodeApplicationProperties() ?? new AmqpMap();
        foreach (var (key, value) in changes)
        {
            // Some clients send the names as symbols. Application properties have strings as names.
            merged[key is AmqpSymbol symbol ? symbol.Value : key] = value;
        }

        return With(sections with { ApplicationProperties = Messages.Sections.OfApplicationProperties(merged) });
    }

    public MessageContent AsDeadLetterOf(string queue) => WithAnnotation(DeadLetterSource, queue);

    /// <summary>When it expires if it is enqueued at that time, in a queue with this limit. Null when it never does.</summary>
    public DateTimeOffset? ExpiryFrom(DateTimeOffset enqueued, TimeSpan? limit)
    {
        var own = TimeToLive is { } life ? After(enqueued, life) : AbsoluteExpiry;
        var most = limit is { } longest ? After(enqueued, longest) : (DateTimeOffset?)null;
        return own is null || most < own ? most : own;
    }

    private static DateTimeOffset After(DateTimeOffset time, TimeSpan span) => span < DateTimeOffset.MaxValue - time ? time + span : DateTimeOffset.MaxValue;

    // A message that stays must not keep all bytes of its batch in memory.
    private static bool IsSmallPart(ReadOnlyMemory<byte> encoded) =>
        MemoryMarshal.TryGetArray(encoded, out var segment) && segment.Array!.Length > 2 * segment.Count;

    private MessageContent WithAnnotation(AmqpSymbol name, object value)
    {
        var sections = Sections;
        var annotations = Messages.Sections.Merge(sections.DecodeAnnotations(), new AmqpMap { { name, value } });
        return With(sections with { Annotations = Messages.Sections.OfMessageAnnotations(annotations) });
    }

    private MessageContent With(ContentSections sections) =>
        new(sections)
        {
            MessageId = MessageId,
            Arrival = Arrival,
            TimeToLive = TimeToLive,
            AbsoluteExpiry = AbsoluteExpiry,
            ScheduledFor = ScheduledFor,
        };
}
