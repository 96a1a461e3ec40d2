using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients;

/// <summary>
/// Reads settings from environment variables and collects every problem. A blank variable counts as not set if others are set. If all are blank, that is a
/// problem: they were probably supposed to have values.
/// </summary>
internal sealed class EnvironmentReader(Func<string, string?> environment)
{
    internal const string EventHubConnectionString = "EVENTHUB_CONNECTION_STRING";
    private const string EventHubName = "EVENTHUB_NAME";
    internal const string EventHubNamespace = "EVENTHUB_NAMESPACE";
    private const string EventHubConsumerGroup = "EVENTHUB_CONSUMER_GROUP";
    internal const string ServiceBusConnectionString = "SERVICEBUS_CONNECTION_STRING";
    internal const string ServiceBusNamespace = "SERVICEBUS_NAMESPACE";
    private const string ServiceBusQueue = "SERVICEBUS_QUEUE";
    private const string ServiceBusTopic = "SERVICEBUS_TOPIC";
    internal const string MessagingTransportName = "MESSAGING_TRANSPORT";
    internal const string StorageConnection = "STORAGE_CONNECTION_STRING";
    internal const string StorageAccountUrl = "STORAGE_ACCOUNT_URL";
    private const string ArchiveContainer = "STORAGE_CONTAINER";
    private const string CheckpointContainer = "CHECKPOINT_CONTAINER";
    private const string DeadLetterContainer = "DEADLETTER_CONTAINER";

    /// <summary>The variables that name a service without a key, for Entra ID.</summary>
    internal static readonly string[] WithoutKey = [EventHubNamespace, ServiceBusNamespace, StorageAccountUrl];

    private static readonly string[] SenderVariables = [EventHubConnectionString, EventHubName, EventHubNamespace, EventHubConsumerGroup];

    private static readonly string[] StorageVariables = [StorageConnection, StorageAccountUrl, ArchiveContainer, CheckpointContainer, DeadLetterContainer];

    private static readonly string[] ConsumerVariables =
    [
        .. SenderVariables,
        ServiceBusConnectionString,
        ServiceBusNamespace,
        ServiceBusQueue,
        ServiceBusTopic,
        .. StorageVariables,
    ];

    // Variables that the emulator sets as well. They show that the other settings were lost.
    private static readonly string[] CompanionVariables = ["SERVICEBUS_ADMINISTRATION_CONNECTION_STRING", "EMULATOR_ADMIN_URL"];

    private readonly List<string> problems = [];

    public SettingsResult Read(SettingsScope scope)
    {
        var variables = scope switch
        {
            SettingsScope.Sender => SenderVariables,
            SettingsScope.Processing => [.. SenderVariables, .. StorageVariables],
            _ => ConsumerVariables,
        };
        if (Array.TrueForAll(variables, name => Value(name) is null))
        {
            Transport();
            return new SettingsResult(null, [.. Unusable(variables), .. problems]);
        }

        var eventHub = Messaging(EventHubConnectionString, EventHubNamespace);
        var hub = Entity(EventHubName, EventHubConnectionString, eventHub);
        if (hub is null && eventHub is not null)
        {
            Problem(EventHubName, "not set");
        }

        var transport = Transport();
        var settings =
            eventHub is null || hub is null
                ? null
                : new MessagingSettings
                {
                    EventHub = eventHub,
                    EventHubName = hub,
                    ConsumerGroup = Value(EventHubConsumerGroup) ?? "$Default",
                    Transport = transport,
                };
        if (scope == SettingsScope.Consumer)
        {
            settings = ReadServiceBus(settings);
        }

        if (scope != SettingsScope.Sender)
        {
            settings = ReadStorage(settings);
        }

        return problems.Count > 0 ? new SettingsResult(null, problems) : new SettingsResult(settings, []);
    }

    // Not "nothing is set": a consumer would run against its own emulator, which is not what the caller of these variables expects.
    private IEnumerable<string> Unusable(string[] variables)
    {
        foreach (var blank in variables.Where(name => environment(name) is not null))
        {
            yield return $"{blank}: set, but blank";
        }

        if (variables.Contains(StorageConnection) && Array.Find(CompanionVariables, name => environment(name) is not null) is { } alone)
        {
            yield return $"{EventHubConnectionString}: not set, although {alone} is";
        }
    }

    private MessagingSettings? ReadServiceBus(MessagingSettings? settings)
    {
        var serviceBus = Messaging(ServiceBusConnectionString, ServiceBusNamespace);
        (var queue, var topic) = QueueOrTopic(serviceBus);
        return settings is null ? null : settings with { ServiceBus = serviceBus, Queue = queue, Topic = topic };
    }

    private MessagingSettings? ReadStorage(MessagingSettings? settings)
    {
        var storage = KeyOrEntraId(StorageConnection, StorageConnectionString.Parse, StorageAccountUrl, StorageConnectionString.OfAddress);
        var archive = Container(ArchiveContainer, "archive");
        var checkpoints = Container(CheckpointContainer, "checkpoints");
        var deadLetters = Container(DeadLetterContainer, "deadletters");
        problems.AddRange(ContainerNames.Problems([(ArchiveContainer, archive), (CheckpointContainer, checkpoints), (DeadLetterContainer, deadLetters)]));
        return settings is null
            ? null
            : settings with
            {
                Storage = storage,
                ArchiveContainer = archive,
                CheckpointContainer = checkpoints,
                DeadLetterContainer = deadLetters,
            };
    }

    private (string? Queue, string? Topic) QueueOrTopic(MessagingConnectionString? serviceBus)
    {
        var queue = Value(ServiceBusQueue);
        var topic = Value(ServiceBusTopic);
        if (queue is not null && topic is not null)
        {
            problems.Add($"{ServiceBusQueue} and {ServiceBusTopic}: both set, choose one");
            return (queue, null);
        }

        if (topic is not null)
        {
            return (null, Entity(ServiceBusTopic, ServiceBusConnectionString, serviceBus));
        }

        queue = Entity(ServiceBusQueue, ServiceBusConnectionString, serviceBus);
        if (queue is null)
        {
            Problem(ServiceBusQueue, $"not set, nor is {ServiceBusTopic}");
        }

        return (queue, null);
    }

    private MessagingConnectionString? Messaging(string name, string namespaceName)
    {
        var parsed = KeyOrEntraId(name, MessagingConnectionString.Parse, namespaceName, MessagingConnectionString.OfNamespace);
        if (parsed is { UseDevelopmentEmulator: true, IsLoopback: false })
        {
            Problem(name, $"UseDevelopmentEmulator is allowed for loopback hosts only, got '{parsed.Host}'");
            return null;
        }

        return parsed;
    }

    // It belongs to no service, so this variable on its own counts as nothing set.
    private MessagingTransport Transport()
    {
        switch (Value(MessagingTransportName))
        {
            case null or "tcp":
                return MessagingTransport.Tcp;
            case "websockets":
                return MessagingTransport.WebSockets;
            case var other:
                Problem(MessagingTransportName, $"'{other}', allowed tcp or websockets");
                return MessagingTransport.Tcp;
        }
    }

    // A connection string contains a key. An address without a key means Entra ID.
    private T? KeyOrEntraId<T>(string name, Func<string, T> parse, string addressName, Func<string, T> address)
        where T : class
    {
        (var text, var alone) = (Value(name), Value(addressName));
        if (text is not null && alone is not null)
        {
            problems.Add($"{addressName} and {name}: both set, choose one");
            return null;
        }

        if (text is null && alone is null)
        {
            Problem(name, "not set");
            return null;
        }

        try
        {
            return alone is null ? parse(text!) : address(alone);
        }
        catch (FormatException malformed)
        {
            Problem(alone is null ? name : addressName, malformed.Message);
            return null;
        }
    }

    // A name may come from its own variable or from EntityPath. Both must then be equal, as the official clients require.
    private string? Entity(string name, string connectionName, MessagingConnectionString? connection)
    {
        var named = Value(name);
        var path = connection?.EntityPath;
        if (named is not null && path is not null && !string.Equals(named, path, StringComparison.OrdinalIgnoreCase))
        {
            Problem(name, $"'{named}' differs from 'EntityPath' of {connectionName}, which is '{path}'");
        }

        return named ?? path;
    }

    private string Container(string name, string preset)
    {
        var container = Value(name) ?? preset;
        if (!ContainerNames.IsAllowed(container))
        {
            Problem(name, $"'{container}' is {ContainerNames.Allowed}");
        }

        return container;
    }

    private string? Value(string name) => environment(name) is { } value && !string.IsNullOrWhiteSpace(value) ? value.Trim() : null;

    private void Problem(string name, string what) => problems.Add($"{name}: {what}");
}
