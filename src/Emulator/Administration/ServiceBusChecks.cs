using EventHubThroughput.CommandLine.Settings;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>New queues, topics and subscriptions against those that are there.</summary>
internal static class ServiceBusChecks
{
    public static EntitySet Known(ServiceBusRegistry entities) => new()
    {
        Queues = [.. entities.AllQueues.Select(static queue => queue.Settings)],
        Topics = [.. entities.AllTopics.Select(static topic => topic.Settings)],
    };

    /// <summary>Notes when messages would be forwarded to nothing or in a circle.</summary>
    public static void Forwarding(ServiceBusRegistry entities, SettingGroup group, string from, QueueSettings settings)
    {
        var known = Known(entities);
        var check = new ForwardingCheck(known);
        check.Add(group, from, settings);
        check.Check(new HashSet<string>(known.Queues.Select(static queue => queue.Name).Concat(known.Topics.Select(static topic => topic.Name)).Append(from), StringComparer.OrdinalIgnoreCase));
    }
}
