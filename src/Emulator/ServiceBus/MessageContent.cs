using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>What a queue keeps of a message: everything that does not change between two deliveries, as bytes where possible.</summary>
internal sealed record MessageContent
{
    public required string MessageId { get; init; }

    public MessageHeader? Header { get; init; }

    public AmqpMap? Annotations { get; init; }

    public required ReadOnlyMemory<byte> Properties { get; init; }

    public ReadOnlyMemory<byte> ApplicationProperties { get; init; }

    public ReadOnlyMemory<byte> Body { get; init; }

    public ReadOnlyMemory<byte> Footer { get; init; }

    public int Length => Properties.Length + ApplicationProperties.Length + Body.Length + Footer.Length;

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

        return new MessageContent
        {
            MessageId = TextOf(id),
            Header = message.Header,
            Annotations = message.Annotations,
            Properties = properties,
            ApplicationProperties = message.EncodedApplicationProperties,
            Body = Sections.JoinBody(message.Body),
            Footer = message.EncodedFooter,
        };
    }

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

        return this with { ApplicationProperties = Sections.OfApplicationProperties(merged) };
    }

    public MessageContent AsDeadLetterOf(string queue) => this with
    {
        Annotations = Sections.Merge(Annotations, new AmqpMap { { new AmqpSymbol(AmqpNames.DeadLetterSource), queue } }),
    };

    private static string TextOf(object id) => id switch
    {
        ReadOnlyMemory<byte> bytes => Convert.ToHexStringLower(bytes.Span),
        _ => Convert.ToString(id, CultureInfo.InvariantCulture) ?? string.Empty,
    };
}
