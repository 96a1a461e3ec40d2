using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>A message as filters see it. Decoded once, on the first access of a filter.</summary>
internal sealed class FilteredMessage(MessageContent content)
{
    private ContentSections? _sections;
    private MessageProperties? _properties;
    private AmqpMap? _applicationProperties;
    private AmqpMap? _annotations;

    public MessageContent Content => content;

    /// <summary>The steps that all rules may take for this message.</summary>
    public RuleBudget Budget { get; } = new(content.Length);

    public MessageProperties Properties => _properties ??= Sections.DecodeProperties() ?? new MessageProperties();

    public AmqpMap ApplicationProperties => _applicationProperties ??= Sections.DecodeApplicationProperties() ?? new AmqpMap();

    public string? PartitionKey => Annotations.FindString(AmqpNames.PartitionKey);

    private AmqpMap Annotations => _annotations ??= Sections.DecodeAnnotations() ?? new AmqpMap();

    // Content on the disk is read once for all filters.
    private ContentSections Sections => _sections ??= content.Sections;

    /// <summary>Finds a property of the sender, by its exact name or else ignoring case.</summary>
    /// <exception cref="RuleBudgetException">The message does not have enough steps left.</exception>
    public bool TryFind(string name, out object? value)
    {
        Budget.Spend(1);
        if (ApplicationProperties.TryGetValue(name, out value))
        {
            return true;
        }

        Budget.Spend(ApplicationProperties.Count);
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
