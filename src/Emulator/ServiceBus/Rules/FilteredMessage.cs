using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus.Rules;

/// <summary>A message as filters look at it; decoded when the first of them does, once for all.</summary>
internal sealed class FilteredMessage(MessageContent content)
{
    private ContentSections? _sections;
    private MessageProperties? _properties;
    private AmqpMap? _applicationProperties;

    public MessageContent Content => content;

    public MessageProperties Properties => _properties ??= Sections.DecodeProperties() ?? new MessageProperties();

    public AmqpMap ApplicationProperties => _applicationProperties ??= Sections.DecodeApplicationProperties() ?? new AmqpMap();

    public string? PartitionKey => Sections.DecodeAnnotations()?.FindString(AmqpNames.PartitionKey);

    // Content on the disk is read once for all filters.
    private ContentSections Sections => _sections ??= content.Sections;

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
