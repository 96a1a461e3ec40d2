using System.Collections.Frozen;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>The properties in the scope <c>sys</c> of an expression: those that a sender sets in addition to application properties.</summary>
internal static class SystemProperties
{
    private static readonly FrozenDictionary<string, SqlValue> Values = new Dictionary<string, SqlValue>(StringComparer.OrdinalIgnoreCase)
    {
        ["ContentType"] = static message => message.Properties.ContentType,
        ["CorrelationId"] = static message => MessageContent.GetText(message.Properties.CorrelationId),
        ["Label"] = static message => message.Properties.Subject,
        ["MessageId"] = static message => message.Content.MessageId,
        ["PartitionKey"] = static message => message.PartitionKey,
        ["ReplyTo"] = static message => message.Properties.ReplyTo,
        ["ReplyToSessionId"] = static message => message.Properties.ReplyToGroupId,
        ["ScheduledEnqueueTimeUtc"] = static message => message.Content.ScheduledFor,
        ["SessionId"] = static message => message.Properties.GroupId,
        ["Subject"] = static message => message.Properties.Subject,
        ["TimeToLive"] = static message => message.Content.TimeToLive,
        ["To"] = static message => message.Properties.To,
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    public static string Names { get; } = string.Join(", ", Values.Keys.Order(StringComparer.Ordinal));

    /// <summary>Null when there is no such property. Names ignore case.</summary>
    public static SqlProperty? Find(string name) =>
        Values.TryGetValue(name, out var value) ? (FilteredMessage message, out object? found) => (found = value(message)) is not null : null;
}
