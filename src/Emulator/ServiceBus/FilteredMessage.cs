using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A message as filters look at it; decoded when the first of them does, once for all.</summary>
internal sealed class FilteredMessage(MessageContent content)
{
    private MessageProperties? _properties;
    private AmqpMap? _applicationProperties;

    public MessageProperties Properties => _properties ??=
        (content.Properties.IsEmpty ? null : AmqpMessage.Decode(content.Properties).Properties) ?? new MessageProperties();

    public AmqpMap ApplicationProperties => _applicationProperties ??=
        (content.ApplicationProperties.IsEmpty ? null : AmqpMessage.Decode(content.ApplicationProperties).ApplicationProperties) ?? new AmqpMap();
}
