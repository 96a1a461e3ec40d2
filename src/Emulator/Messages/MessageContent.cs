using System.Globalization;
using System.Runtime.InteropServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>What a queue keeps of a message: everything that does not change between two deliveries, as the bytes that came.</summary>
internal sealed class MessageContent
{
    private static readonly AmqpSymbol EnqueuedSequence = AmqpNames.EnqueuedSequenceNumber;

    public required string MessageId { get; init; }

    /// <summary>From the message's header; it counts from the moment at which the message is enqueued.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>When the message ends, if its header says nothing: clients give both, and mean by this one their own clock.</summary>
    public DateTimeOffset? AbsoluteExpiry { get; init; }

    /// <summary>When the sender wants it enqueued.</summary>
    public DateTimeOffset? ScheduledFor { get; init; }

    public ReadOnlyMemory<byte> Header { get; init; }

    public ReadOnlyMemory<byte> Annotations { get; init; }

    public required ReadOnlyMemory<byte> Properties { get; init; }

    public ReadOnlyMemory<byte> ApplicationProperties { get; init; }

    public ReadOnlyMemory<byte> Body { get; init; }

    public ReadOnlyMemory<byte> Footer { get; init; }

    public int Length => Header.Length + Annotations.Length + Properties.Length + ApplicationProperties.Length + Body.Length + Footer.Length;

    /// <summary>What it takes from the memory budget, however many queues hold it.</summary>
    public long Cost => Length + (sizeof(char) * MessageId.Length) + MemoryBudget.EntryOverhead;

    /// <summary>The queues of one store that hold it: a topic's subscriptions share it. Under the store's gate.</summary>
    public int Holders { get; set; }

    /// <summary>The number under which its entity took it in; what becomes of it there has the same.</summary>
    public long Arrival { get; set; }

    /// <summary>Some clients send no id and some cannot work without one: it gets one then.</summary>
    public static MessageContent Of(MessageParts message)
    {
        var properties = message.EncodedProperties;
        var id = message.Properties?.MessageId;
        if (id is null)
        {
            id = Guid.NewGuid().ToString("N");
            properties = Sections.OfProperties((message.Properties ?? new MessageProperties()) with { MessageId = id });
        }

        var content = new MessageContent
        {
            MessageId = TextOf(id) ?? string.Empty,
            // The largest number stands for all that are larger; only the other field knows then.
            TimeToLive = message.Header?.Ttl is { } milliseconds and < uint.MaxValue ? TimeSpan.FromMilliseconds(milliseconds) : null,
            AbsoluteExpiry = message.Properties?.AbsoluteExpiryTime?.ToDateTimeOffset(),
            ScheduledFor = (message.Annotations?.Find(AmqpNames.ScheduledEnqueueTime) as AmqpTimestamp?)?.ToDateTimeOffset(),
            Header = message.EncodedHeader,
            Annotations = message.EncodedMessageAnnotations,
            Properties = properties,
            ApplicationProperties = message.EncodedApplicationProperties,
            Body = Sections.JoinBody(message.Body),
            Footer = message.EncodedFooter,
        };
        return IsSmallPart(message.Encoded) ? content.Copy() : content;
    }

    /// <summary>A message as it was written to a log; the bytes are the content's own afterwards.</summary>
    public static MessageContent Read(ReadOnlyMemory<byte> encoded) => Of(MessageParts.Parse(encoded.ToArray()));

    public byte[] Encode() => Sections.Join(Header, Annotations, Properties, ApplicationProperties, Body, Footer);

    /// <summary>The same message for another store, which counts its holders itself.</summary>
    public MessageContent Shared() => With(Annotations, ApplicationProperties);

    /// <summary>The same message for the store that it is forwarded to, with the number that it had where it was sent to.</summary>
    public MessageContent Forwarded(long sequence) =>
        With(Sections.OfMessageAnnotations(Sections.Merge(DecodeAnnotations(), new AmqpMap { { EnqueuedSequence, sequence } })), ApplicationProperties);

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

        var merged = ApplicationProperties.IsEmpty ? new AmqpMap() : AmqpMessage.Decode(ApplicationProperties).ApplicationProperties ?? new AmqpMap();
        foreach (var (key, value) in changes)
        {
            // Some clients give the names as symbols; application properties have strings.
            merged[key is AmqpSymbol symbol ? symbol.Value : key] = value;
        }

        return With(Annotations, Sections.OfApplicationProperties(merged));
    }

    public MessageContent AsDeadLetterOf(string queue)
    {
        var source = new AmqpMap { { new AmqpSymbol(AmqpNames.DeadLetterSource), queue } };
        return With(Sections.OfMessageAnnotations(Sections.Merge(DecodeAnnotations(), source)), ApplicationProperties);
    }

    public MessageHeader? DecodeHeader() => Header.IsEmpty ? null : AmqpMessage.Decode(Header).Header;

    public AmqpMap? DecodeAnnotations() => Annotations.IsEmpty ? null : AmqpMessage.Decode(Annotations).MessageAnnotations;

    /// <summary>When it ends if it is enqueued then, in a queue with this limit; null when it never does.</summary>
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

    private MessageContent Copy()
    {
        ReadOnlyMemory<byte> rest = Encode();
        return new MessageContent
        {
            MessageId = MessageId,
            TimeToLive = TimeToLive,
            AbsoluteExpiry = AbsoluteExpiry,
            ScheduledFor = ScheduledFor,
            Header = Take(Header.Length),
            Annotations = Take(Annotations.Length),
            Properties = Take(Properties.Length),
            ApplicationProperties = Take(ApplicationProperties.Length),
            Body = Take(Body.Length),
            Footer = rest,
        };

        ReadOnlyMemory<byte> Take(int length)
        {
            var taken = rest[..length];
            rest = rest[length..];
            return taken;
        }
    }

    private MessageContent With(ReadOnlyMemory<byte> annotations, ReadOnlyMemory<byte> applicationProperties) =>
        new()
        {
            MessageId = MessageId,
            Arrival = Arrival,
            TimeToLive = TimeToLive,
            AbsoluteExpiry = AbsoluteExpiry,
            ScheduledFor = ScheduledFor,
            Header = Header,
            Annotations = annotations,
            Properties = Properties,
            ApplicationProperties = applicationProperties,
            Body = Body,
            Footer = Footer,
        };
}
