using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Details of events whose properties section stays encoded until it is read.</summary>
internal sealed class EncodedDetails : EventDetails
{
    private readonly EncodedMessageProperties section;

    private EncodedDetails(EncodedMessageProperties section) => this.section = section;

    /// <summary>Of events without identifiers.</summary>
    public static EncodedDetails None { get; } = new(default);

    /// <summary>Keeps the section only if it has an identifier, which most events do not have.</summary>
    /// <exception cref="AmqpException">The bytes are not a list.</exception>
    public static EncodedDetails Of(EncodedMessageProperties section) => section.HasIdentifier ? new EncodedDetails(section) : None;

    public override string? FindMessageId() => Find("message-id", static section => section.FindMessageId());

    public override string? FindCorrelationId() => Find("correlation-id", static section => section.FindCorrelationId());

    public override IReadOnlyDictionary<string, object?> DecodeProperties(ReadOnlyMemory<byte> encoded) => PlainProperties.Decode(encoded);

    private string? Find(string name, Func<EncodedMessageProperties, object?> find)
    {
        try
        {
            return IdentifierText.Of(find(section));
        }
        catch (AmqpException malformed)
        {
            throw new MessagingException(FailureKind.Permanent, $"its {name} cannot be read: {malformed.Message}", malformed);
        }
    }
}
