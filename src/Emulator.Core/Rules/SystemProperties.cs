using System.Collections.Frozen;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>What an expression finds in the scope <c>sys</c>: what a sender sets beside the properties of its own.</summary>
internal static class SystemProperties
{
    private static readonly FrozenDictionary<string, SqlValue> Values = new Dictionary<string, SqlValue>(StringComparer.OrdinalIgnoreCase)
    {
        ["ContentType"] = static message => message.Properties.ContentType,
        ["CorrelationId"] = static message => MessageContent.TextOf(message.Properties.CorrelationId),
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

    /// <summary>Null when there is none of that name. Names compare without case.</summary>
    public static SqlProperty? Find(string name) =>
        Values.TryGetValue(name, out var value) ? (FilteredMessage message, out object? found) => (found = value(message)) is not null : null;
}
