using System.Globalization;
using System.Runtime.InteropServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// What a queue keeps of a message: everything that does not change between two deliveries, as the bytes that came, in memory or on the
/// disk.
/// </summary>
internal sealed class MessageContent
{
    private static readonly AmqpSymbol EnqueuedSequence = AmqpNames.EnqueuedSequenceNumber;
    private static readonly AmqpSymbol DeadLetterSource = AmqpNames.DeadLetterSource;

    // Null once they are on the disk. Changed before the content is in a queue.
    private ContentSections? _sections;
    private StoredBytes? _spilled;

    private MessageContent(ContentSections sections) => (_sections, Length) = (sections, sections.Length);

    public required string MessageId { get; init; }

    /// <summary>From the message's header. It counts from the moment at which the message is enqueued.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>When the message ends, if its header says nothing: clients give both, and mean by this one their own clock.</summary>
    public DateTimeOffset? AbsoluteExpiry { get; init; }

    /// <summary>When the sender wants it enqueued.</summary>
    public DateTimeOffset? ScheduledFor { get; init; }

    /// <summary>Of all sections, wherever they are.</summary>
    public int Length { get; }

    /// <summary>The bytes that came. Each call reads them anew when they are on the disk.</summary>
    public ContentSections Sections => _sections ?? ContentSections.Of(MessageParts.Parse(Encode()));

    /// <summary>What it takes from the memory budget, however many queues hold it.</summary>
    public long Cost => (_sections is null ? 0 : Length) + (sizeof(char) * MessageId.Length) + MemoryBudget.EntryOverhead;

    /// <summary>The queues of one store that hold it: a topic's subscriptions share it. Under the store's gate.</summary>
    public int Holders { get; set; }

    /// <summary>The number under which its entity took it in. What becomes of it there has the same.</summary>
    public long Arrival { get; set; }

    /// <summary>Some clients send no id and some cannot work without one: it gets one then.</summary>
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
            MessageId = TextOf(id) ?? string.Empty,
            // The largest number stands for all that are larger. Only the other field knows then.
            TimeToLive = message.Header?.Ttl is { } milliseconds and < uint.MaxValue ? TimeSpan.FromMilliseconds(milliseconds) : null,
            AbsoluteExpiry = message.Properties?.AbsoluteExpiryTime?.ToDateTimeOffset(),
            ScheduledFor = (message.Annotations?.Find(AmqpNames.ScheduledEnqueueTime) as AmqpTimestamp?)?.ToDateTimeOffset(),
        };
    }

    /// <summary>A message as it was written to a log. The bytes are the content's own afterwards.</summary>
    public static MessageContent Read(ReadOnlyMemory<byte> encoded) => Of(MessageParts.Parse(encoded.ToArray()));

    /// <summary>The sections one after another.</summary>
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

    /// <summary>Moves the bytes to the disk if the budget says so. For whoever is about to put it into a queue.</summary>
    public void Spill(MemoryBudget budget)
    {
        if (budget.IsSpilling && _sections is { } sections && budget.TrySpill(sections.Encode()) is { } place)
        {
            (_spilled, _sections) = (place, null);
        }
    }

    /// <summary>The same message for another store, which counts its holders itself.</summary>
    public MessageContent Shared() => With(Sections);

    /// <summary>The same message for the store that it is forwarded to, with the number that it had where it was sent to.</summary>
    public MessageContent Forwarded(long sequence) => WithAnnotation(EnqueuedSequence, sequence);

    /// <summary>The text of an identifier, which AMQP lets be a number, a UUID or bytes too.</summary>
    public static string? TextOf(object? id) =>
        id switch
        {
            null => null,
            ReadOnlyMemory<byte> bytes => Convert.ToHexStringLower(bytes.Span),
            _ => Convert.ToString(id, CultureInfo.InvariantCulture),
        };

    /// <summary>With application properties added or replaced, as settling with properties asks for.</summary>
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
            // Some clients give the names as symbols. Application properties have strings.
            merged[key is AmqpSymbol symbol ? symbol.Value : key] = value;
        }

        return With(sections with { ApplicationProperties = Messages.Sections.OfApplicationProperties(merged) });
    }

    public MessageContent AsDeadLetterOf(string queue) => WithAnnotation(DeadLetterSource, queue);

    /// <summary>When it ends if it is enqueued then, in a queue with this limit. Null when it never does.</summary>
    public DateTimeOffset? ExpiryFrom(DateTimeOffset enqueued, TimeSpan? limit)
    {
        var own = TimeToLive is { } life ? After(enqueued, life) : AbsoluteExpiry;
        var most = limit is { } longest ? After(enqueued, longest) : (DateTimeOffset?)null;
        return own is null || most < own ? most : own;
    }

    private static DateTimeOffset After(DateTimeOffset time, TimeSpan span) => span < DateTimeOffset.MaxValue - time ? time + span : DateTimeOffset.MaxValue;

    // One message of a batch that stays must not keep all of the batch's bytes.
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
