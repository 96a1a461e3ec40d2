using System.Text.Json;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Entities in the form of the settings file, as <see cref="EntityReader"/> reads them.</summary>
internal static class EntityWriter
{
    /// <summary>Writes the lists of a document.</summary>
    public static void Write(Utf8JsonWriter json, EntitySet entities)
    {
        List(json, "hubs", entities.Hubs, Members);
        List(json, "queues", entities.Queues, Members);
        List(json, "topics", entities.Topics, Members);
        json.WriteStartArray("containers");
        foreach (var container in entities.Containers)
        {
            json.WriteStringValue(container);
        }

        json.WriteEndArray();
    }

    public static void Members(Utf8JsonWriter json, HubSettings hub)
    {
        json.WriteString("name", hub.Name);
        json.WriteNumber("partitions", hub.Partitions);
        json.WriteStartArray("consumerGroups");
        foreach (var group in hub.ConsumerGroups)
        {
            json.WriteStringValue(group);
        }

        json.WriteEndArray();
        Duration(json, "retentionTime", hub.RetentionTime);
        if (hub.RetentionBytes is { } bytes)
        {
            json.WriteNumber("retentionSize", bytes);
        }
    }

    public static void Members(Utf8JsonWriter json, QueueSettings queue)
    {
        json.WriteString("name", queue.Name);
        Duration(json, "lockDuration", queue.LockDuration);
        json.WriteNumber("maxDeliveryCount", queue.MaximumDeliveryCount);
        Duration(json, "timeToLive", queue.TimeToLive);
        json.WriteBoolean("deadLetterExpired", queue.DeadLetterExpired);
        Duration(json, "duplicateDetection", queue.DuplicateDetection);
        Text(json, "forwardTo", queue.ForwardTo);
        Text(json, "forwardDeadLettersTo", queue.ForwardDeadLettersTo);
        if (queue.Rules is { } rules)
        {
            List(json, "rules", rules, RuleWriter.Members);
        }
    }

    public static void Members(Utf8JsonWriter json, TopicSettings topic)
    {
        json.WriteString("name", topic.Name);
        Duration(json, "timeToLive", topic.TimeToLive);
        Duration(json, "duplicateDetection", topic.DuplicateDetection);
        List(json, "subscriptions", topic.Subscriptions, Members);
    }

    private static void List<T>(Utf8JsonWriter json, string name, IReadOnlyList<T> items, Action<Utf8JsonWriter, T> members)
    {
        json.WriteStartArray(name);
        foreach (var item in items)
        {
            json.WriteStartObject();
            members(json, item);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void Duration(Utf8JsonWriter json, string name, TimeSpan? duration) =>
        Text(json, name, duration is { } value ? DurationText.Format(value) : null);

    private static void Text(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }
}
