using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The existing queues and topics, for checks of new ones.</summary>
internal static class KnownEntities
{
    public static EntitySet Of(ServiceBusRegistry entities) =>
        new() { Queues = [.. entities.AllQueues.Select(static queue => queue.Settings)], Topics = [.. entities.AllTopics.Select(GetSettings)] };

    /// <summary>A topic with its current subscriptions.</summary>
    public static TopicSettings GetSettings(Topic topic) => topic.Settings;

    /// <summary>Reports messages that would be forwarded to a missing entity or in a circle.</summary>
    public static void CheckForwarding(ServiceBusRegistry entities, SettingGroup group, string from, QueueSettings settings)
    {
        var known = Of(entities);
        var check = new ForwardingCheck(known);
        check.Add(group, from, settings);
        check.Check(
            new HashSet<string>(
                known.Queues.Select(static queue => queue.Name).Concat(known.Topics.Select(static topic => topic.Name)).Append(from),
                StringComparer.OrdinalIgnoreCase
            )
        );
    }
}
