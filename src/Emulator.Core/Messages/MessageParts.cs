using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// A parsed message. The order of its sections is corrected (a client was observed to write the footer before the body), and their bytes are kept. Sections
/// that most messages lack are decoded on demand.
/// </summary>
internal sealed class MessageParts
{
    private readonly List<MessageSection> _body = new(1);
    private MessageSection? _header;
    private MessageSection? _deliveryAnnotations;
    private MessageSection? _messageAnnotations;
    private MessageSection? _properties;
    private MessageSection? _applicationProperties;
    private MessageSection? _footer;

    private MessageParts(ReadOnlyMemory<byte> encoded)
    {
        Encoded = encoded;
        foreach (var section in MessageSections.Split(encoded))
        {
            switch (section.Code)
            {
                case SectionCode.Header:
                    _header = section;
                    break;
                case SectionCode.DeliveryAnnotations:
                    _deliveryAnnotations = section;
                    break;
                case SectionCode.MessageAnnotations:
                    _messageAnnotations = section;
                    break;
                case SectionCode.Properties:
                    _properties = section;
                    break;
                case SectionCode.ApplicationProperties:
                    _applicationProperties = section;
                    break;
                case SectionCode.Footer:
                    _footer = section;
                    break;
                default:
                    _body.Add(section);
                    break;
            }
        }

        // Decoded immediately: a reader must never receive an undecodable message, and routing needs the annotations.
        Annotations = DecodeSection(_messageAnnotations)?.MessageAnnotations;
        Properties = DecodeSection(_properties)?.Properties;
        ApplicationProperties = DecodeSection(_applicationProperties)?.ApplicationProperties;
        Header = DecodeSection(_header)?.Header;
    }

    public ReadOnlyMemory<byte> Encoded { get; }

    public MessageHeader? Header { get; }

    public AmqpMap? Annotations { get; }

    public MessageProperties? Properties { get; }

    public AmqpMap? ApplicationProperties { get; }

    public string? PartitionKey => Annotations?.FindString(AmqpNames.PartitionKey);

    public ReadOnlyMemory<byte> EncodedHeader => _header?.Encoded ?? default;

    public ReadOnlyMemory<byte> EncodedDeliveryAnnotations => _deliveryAnnotations?.Encoded ?? default;

    public ReadOnlyMemory<byte> EncodedMessageAnnotations => _messageAnnotations?.Encoded ?? default;

    public ReadOnlyMemory<byte> EncodedProperties => _properties?.Encoded ?? default;

    public ReadOnlyMemory<byte> EncodedApplicationProperties => _applicationProperties?.Encoded ?? default;

    /// <summary>The encoded map without its descriptor. Hashes of the properties are computed over it.</summary>
    public ReadOnlyMemory<byte> ApplicationPropertiesValue => _applicationProperties?.Value ?? default;

    public ReadOnlyMemory<byte> EncodedFooter => _footer?.Encoded ?? default;

    /// <summary>The data, sequence or value sections, in order.</summary>
    public IReadOnlyList<MessageSection> Body => _body;

    /// <exception cref="Amqp.AmqpException">The bytes are not a message.</exception>
    public static MessageParts Parse(ReadOnlyMemory<byte> encoded) => new(encoded);

    private static AmqpMessage? DecodeSection(MessageSection? section) => section is { } present ? AmqpMessage.Decode(present.Encoded) : null;
}
