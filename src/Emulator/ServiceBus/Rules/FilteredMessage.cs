using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus.Rules;

/// <summary>A message as filters look at it; decoded when the first of them does, once for all.</summary>
internal sealed class FilteredMessage(MessageContent content)
{
    private MessageProperties? _properties;
    private AmqpMap? _applicationProperties;

    public MessageContent Content => content;

    public MessageProperties Properties =>
        _properties ??= (content.Properties.IsEmpty ? null : AmqpMessage.Decode(content.Properties).Properties) ?? new MessageProperties();

    public AmqpMap ApplicationProperties =>
        _applicationProperties ??=
            (content.ApplicationProperties.IsEmpty ? null : AmqpMessage.Decode(content.ApplicationProperties).ApplicationProperties) ?? new AmqpMap();

    /// <summary>Looks up what the sender named itself: by the very name, or else by one that differs in case.</summary>
    public bool TryFind(string name, out object? value)
    {
        if (ApplicationProperties.TryGetValue(name, out value))
        {
            return true;
        }

        foreach (var (key, other) in ApplicationProperties)
        {
            if (name.Equals(key as string, StringComparison.OrdinalIgnoreCase))
            {
                value = other;
                return true;
            }
        }

        return false;
    }
}
