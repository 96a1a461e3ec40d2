using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>Messages and what filters say of them.</summary>
internal static class Filtered
{
    public static FilteredMessage Message(AmqpMap properties) => Message(new AmqpMessage { ApplicationProperties = properties });

    public static FilteredMessage Message(AmqpMessage message) => new(MessageContent.Of(MessageParts.Parse(message.Encode())));

    /// <summary>Whether a condition is true, false, or null: neither it nor its opposite takes the message.</summary>
    public static bool? Verdict(string condition, FilteredMessage message, AmqpMap? parameters = null)
    {
        var takes = SqlFilter.Of(condition, parameters ?? []).Takes(message);
        var refuses = SqlFilter.Of($"NOT ({condition})", parameters ?? []).Takes(message);
        return takes ? !refuses
            : refuses ? false
            : null;
    }
}
