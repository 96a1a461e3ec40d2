using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>One entity in the form of the settings file. Problems are added to its document.</summary>
internal static class EntityReader
{
    private const long LargestRetention = 1L << 40;

    private static readonly TimeSpan Longest = TimeSpan.FromDays(3_650);

    /// <summary>The name of an entity in a list.</summary>
    public static string? Name(SettingGroup group, Func<string, string?> faultOf)
    {
        if (group.Require("name") is not { } value || value.Text() is not { } name)
        {
            return null;
        }

        if (faultOf(name) is { } fault)
        {
            value.Refuse(fault);
        }

        return name;
    }

    /// <summary>The name of an entity in a path. The settings may repeat it.</summary>
    /// <exception cref="UsageException">The name is invalid.</exception>
    public static string NameOfPath(SettingGroup group, string kind, string name, Func<string, string?> faultOf)
    {
        if (faultOf(name) is { } fault)
        {
            throw new UsageException($"{kind} '{name}': {fault}");
        }

        if (group.Find("name") is { } repeated && repeated.Text() is { } other && other != name)
        {
            repeated.Refuse($"the path names '{name}'");
        }

        return name;
    }

    public static HubSettings Hub(SettingGroup group, string name) =>
        new(name)
        {
            Partitions = group.Integer("partitions", 4, 1, HubSettings.LargestPartitions),
            ConsumerGroups = Groups(group),
            RetentionTime = group.Find("retentionTime")?.Duration(TimeSpan.FromSeconds(1), Longest),
            RetentionBytes = group.Find("retentionSize")?.Size(1, LargestRetention),
        };

    public static QueueSettings Queue(SettingGroup group, string name) => Common(group, name) with { DuplicateDetection = DuplicateDetection(group) };

    public static QueueSettings Subscription(SettingGroup group, string name) => Common(group, name) with { Rules = RuleReader.Read(group) };

    /// <summary>A topic. Its subscriptions are read by <see cref="EntitySetReader"/>, which has the other entities too.</summary>
    public static TopicSettings Topic(SettingGroup group, string name) =>
        new(name) { TimeToLive = TimeToLive(group), DuplicateDetection = DuplicateDetection(group) };

    // The common members of queues and subscriptions.
    private static QueueSettings Common(SettingGroup group, string name) =>
        new(name)
        {
            LockDuration = group.Duration("lockDuration", TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(5)),
            MaximumDeliveryCount = group.Integer("maxDeliveryCount", 10, 1, int.MaxValue),
            TimeToLive = TimeToLive(group),
            DeadLetterExpired = group.Flag("deadLetterExpired"),
            ForwardTo = group.Find("forwardTo")?.Text(),
            ForwardDeadLettersTo = group.Find("forwardDeadLettersTo")?.Text(),
        };

    private static TimeSpan? TimeToLive(SettingGroup group) => group.Find("timeToLive")?.Duration(TimeSpan.FromMilliseconds(1), Longest);

    private static TimeSpan? DuplicateDetection(SettingGroup group) =>
        group.Find("duplicateDetection")?.Duration(TimeSpan.FromSeconds(1), TimeSpan.FromDays(7));

    private static IReadOnlyList<string> Groups(SettingGroup group)
    {
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        List<string> groups = [];
        var values = group.Find("consumerGroups")?.List() ?? [];
        foreach (var value in values)
        {
            if (value.Text() is not { } name)
            {
                continue;
            }

            if (EmulatedName.GroupFault(name) is { } fault)
            {
                value.Refuse(fault);
            }
            else if (!seen.Add(name))
            {
                value.Refuse("named twice");
            }
            else if (seen.Count > HubSettings.MostGroups)
            {
                value.Refuse($"more than {HubSettings.MostGroups} consumer groups");
                break;
            }
            else
            {
                groups.Add(name);
            }
        }

        return EmulatedName.WithDefaultGroup(groups);
    }
}
