using System.Xml;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>
/// The configuration files of Microsoft's emulators of Event Hubs and of Service Bus, in the form of the settings file. Each value keeps its original place, so
/// that every check reports it. Both forms are public: Azure/azure-event-hubs-emulator-installer and Azure/azure-service-bus-emulator-installer,
/// <c>Schema/Config-schema.json</c>.
/// </summary>
public static class MicrosoftConfig
{
    private const string Member = "UserConfig";
    private const string Name = "Name";
    private const string Properties = "Properties";

    // Defaults of Microsoft's emulators that differ from those of this one.
    private const string DefaultLock = "1m";
    private const string DefaultWindow = "10m";

    private static readonly (string Theirs, string Ours)[] Correlations =
    [
        ("ContentType", "contentType"),
        ("CorrelationId", "correlationId"),
        ("Label", "subject"),
        ("MessageId", "messageId"),
        ("ReplyTo", "replyTo"),
        ("ReplyToSessionId", "replyToSessionId"),
        ("SessionId", "sessionId"),
        ("To", "to"),
    ];

    /// <summary>Translates a file in Microsoft's form into the settings. Other settings are returned unchanged.</summary>
    public static SettingGroup Translate(SettingGroup root)
    {
        if (!root.Names.Contains(Member))
        {
            return root;
        }

        foreach (var name in root.Names.Where(static name => name != Member))
        {
            root.Find(name)?.Refuse($"cannot be combined with '{Member}', the form of Microsoft's emulators. Write all entities in one of the two forms");
        }

        if (root.Find(Member)?.Group() is not { } config)
        {
            return root.With().Group()!;
        }

        // The target of their log. Here it is an option of the command line.
        foreach (var logging in (string[])["Logging", "LoggingConfig"])
        {
            config.Find(logging)?.Group()?.Find("Type")?.Choice(["File", "Console"]);
        }

        var hubs = First(config, "NamespaceConfig");
        hubs?.Find("Type")?.Choice(["EventHub"]);
        var bus = First(config, "Namespaces");
        return config.With(("hubs", Each(hubs, "Entities", Hub)), ("queues", Each(bus, "Queues", Queue)), ("topics", Each(bus, "Topics", Topic))).Group()!;
    }

    private static SettingGroup? First(SettingGroup config, string list)
    {
        var namespaces = config.Groups(list);
        foreach (var one in namespaces)
        {
            one.Find(Name)?.Text();
        }

        foreach (var other in namespaces.Skip(1))
        {
            foreach (var name in other.Names)
            {
                other.Find(name);
            }

            other.Refuse("only one namespace is supported, write all entities into the first one");
        }

        return namespaces.Count > 0 ? namespaces[0] : null;
    }

    // Null for an empty list, which requests nothing in their form.
    private static SettingValue? Each(SettingGroup? group, string list, Func<SettingGroup, SettingValue?> translate)
    {
        List<SettingValue> items = [.. (group?.Groups(list) ?? []).Select(translate).OfType<SettingValue>()];
        return items.Count > 0 ? group!.Find(list)!.With(items) : null;
    }

    private static SettingValue? Hub(SettingGroup hub) =>
        hub.Require(Name) is { } name
            ? hub.With(
                ("name", name),
                ("partitions", hub.Find("PartitionCount") is { Kind: SettingKind.Text } count ? count.AsNumber() : hub.Find("PartitionCount")),
                ("consumerGroups", Each(hub, "ConsumerGroups", static group => group.Require(Name)))
            )
            : null;

    private static SettingValue? Queue(SettingGroup queue)
    {
        var properties = queue.Find(Properties)?.Group();
        return queue.Require(Name) is { } name
            ? queue.With([("name", name), ("duplicateDetection", DuplicateDetection(properties)), .. WithLocks(queue, properties)])
            : null;
    }

    private static SettingValue? Topic(SettingGroup topic)
    {
        var properties = topic.Find(Properties)?.Group();
        return topic.Require(Name) is { } name
            ? topic.With(
                ("name", name),
                ("timeToLive", Duration(properties?.Find("DefaultMessageTimeToLive"))),
                ("duplicateDetection", DuplicateDetection(properties)),
                ("subscriptions", Each(topic, "Subscriptions", Subscription))
            )
            : null;
    }

    private static SettingValue? Subscription(SettingGroup subscription)
    {
        var properties = subscription.Find(Properties)?.Group();
        return subscription.Require(Name) is { } name
            ? subscription.With([("name", name), ("rules", Each(subscription, "Rules", Rule)), .. WithLocks(subscription, properties)])
            : null;
    }

    // The common members of queues and subscriptions.
    private static IReadOnlyList<(string, SettingValue?)> WithLocks(SettingGroup entity, SettingGroup? properties)
    {
        if (properties?.Find("RequiresSession") is { } sessions && sessions.Flag() == true)
        {
            sessions.Refuse("sessions are not supported, write false");
        }

        return
        [
            ("lockDuration", properties?.Find("LockDuration") is { } duration ? Duration(duration) : entity.With(DefaultLock)),
            ("maxDeliveryCount", properties?.Find("MaxDeliveryCount")),
            ("timeToLive", Duration(properties?.Find("DefaultMessageTimeToLive"))),
            ("deadLetterExpired", properties?.Find("DeadLetteringOnMessageExpiration")),
            ("forwardTo", Filled(properties?.Find("ForwardTo"))),
            ("forwardDeadLettersTo", Filled(properties?.Find("ForwardDeadLetteredMessagesTo"))),
        ];
    }

    private static SettingValue? DuplicateDetection(SettingGroup? properties)
    {
        var window = Duration(properties?.Find("DuplicateDetectionHistoryTimeWindow"));
        return properties?.Find("RequiresDuplicateDetection") is { } required && required.Flag() == true ? window ?? properties.With(DefaultWindow) : null;
    }

    private static SettingValue? Rule(SettingGroup rule)
    {
        if (rule.Require(Name) is not { } name || rule.Require(Properties)?.Group() is not { } properties)
        {
            return null;
        }

        properties.Find("Action")?.Refuse("actions of rules are not supported, remove it");
        var (sql, correlation) = (properties.Find("SqlFilter"), properties.Find("CorrelationFilter"));
        return properties.Require("FilterType")?.Choice(["Sql", "Correlation"]) switch
        {
            "Sql" => rule.With(("name", name), ("sql", (sql ?? properties.Require("SqlFilter"))?.Group()?.Require("SqlExpression"))),
            "Correlation" => rule.With(("name", name), ("correlation", Correlation(correlation ?? properties.Require("CorrelationFilter")))),
            _ => null,
        };
    }

    private static SettingValue? Correlation(SettingValue? filter) =>
        filter?.Group() is { } group
            ? group.With([.. Correlations.Select(one => (one.Ours, Filled(group.Find(one.Theirs)))), ("properties", group.Find(Properties))])
            : null;

    // Their files contain an empty text for an absent value.
    private static SettingValue? Filled(SettingValue? value) => value is { Kind: SettingKind.Text, IsEmpty: true } ? null : value;

    // Null if there is no limit. The text has the XML format, as in the service's description of an entity.
    private static SettingValue? Duration(SettingValue? value)
    {
        if (Filled(value) is not { } given)
        {
            return null;
        }

        try
        {
            if (given.Kind == SettingKind.Text && XmlConvert.ToTimeSpan(given.Text() ?? string.Empty) is var duration && duration > TimeSpan.Zero)
            {
                return TimeSpan.MaxValue - duration < TimeSpan.FromSeconds(1) ? null : given.With(DurationText.Format(duration));
            }
        }
        catch (FormatException)
        {
            // The problem is added below.
        }
        catch (OverflowException)
        {
            // The longest duration, as some clients round it.
            return null;
        }

        given.Refuse("not a duration, write \"PT30S\" or \"PT1M\"");
        return null;
    }
}
