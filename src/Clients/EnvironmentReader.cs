using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients;

/// <summary>Reads settings from environment variables and gathers every problem; a blank variable counts as not set.</summary>
internal sealed class EnvironmentReader(Func<string, string?> environment)
{
    private const string EventHubConnectionString = "EVENTHUB_CONNECTION_STRING";
    private const string EventHubName = "EVENTHUB_NAME";
    internal const string EventHubNamespace = "EVENTHUB_NAMESPACE";
    private const string EventHubConsumerGroup = "EVENTHUB_CONSUMER_GROUP";
    private const string ServiceBusConnectionString = "SERVICEBUS_CONNECTION_STRING";
    internal const string ServiceBusNamespace = "SERVICEBUS_NAMESPACE";
    private const string ServiceBusQueue = "SERVICEBUS_QUEUE";
    private const string ServiceBusTopic = "SERVICEBUS_TOPIC";
    private const string StorageConnection = "STORAGE_CONNECTION_STRING";
    internal const string StorageAccountUrl = "STORAGE_ACCOUNT_URL";
    private const string ArchiveContainer = "STORAGE_CONTAINER";
    private const string CheckpointContainer = "CHECKPOINT_CONTAINER";
    private const string DeadLetterContainer = "DEADLETTER_CONTAINER";

    private static readonly string[] SenderVariables = [EventHubConnectionString, EventHubName, EventHubNamespace, EventHubConsumerGroup];

    private static readonly string[] ConsumerVariables =
    [
        .. SenderVariables,
        ServiceBusConnectionString,
        ServiceBusNamespace,
        ServiceBusQueue,
        ServiceBusTopic,
        StorageConnection,
        StorageAccountUrl,
        ArchiveContainer,
        CheckpointContainer,
        DeadLetterContainer,
    ];

    private readonly List<string> problems = [];

    public SettingsResult Read(SettingsScope scope)
    {
        string[] variables = scope == SettingsScope.Sender ? SenderVariables : ConsumerVariables;
        if (Array.TrueForAll(variables, name => Value(name) is null))
        {
            return new SettingsResult(null, []);
        }

        MessagingConnectionString? eventHub = Messaging(EventHubConnectionString, EventHubNamespace);
        string? hub = Entity(EventHubName, EventHubConnectionString, eventHub);
        if (hub is null && eventHub is not null)
        {
            Problem(EventHubName, "not set");
        }

        MessagingSettings? settings =
            eventHub is null || hub is null
                ? null
                : new MessagingSettings
                {
                    EventHub = eventHub,
                    EventHubName = hub,
                    ConsumerGroup = Value(EventHubConsumerGroup) ?? "$Default",
                };
        if (scope == SettingsScope.Consumer)
        {
            settings = ReadDestinations(settings);
        }

        return problems.Count > 0 ? new SettingsResult(null, problems) : new SettingsResult(settings, []);
    }

    private MessagingSettings? ReadDestinations(MessagingSettings? settings)
    {
        MessagingConnectionString? serviceBus = Messaging(ServiceBusConnectionString, ServiceBusNamespace);
        (string? queue, string? topic) = QueueOrTopic(serviceBus);
        StorageConnectionString? storage = KeyOrEntraId(StorageConnection, StorageConnectionString.Parse, StorageAccountUrl, StorageConnectionString.OfAddress);
        string archive = Container(ArchiveContainer, "archive");
        string checkpoints = Container(CheckpointContainer, "checkpoints");
        string deadLetters = Container(DeadLetterContainer, "deadletters");
        return settings is null
            ? null
            : settings with
            {
                ServiceBus = serviceBus,
                Queue = queue,
                Topic = topic,
                Storage = storage,
                ArchiveContainer = archive,
                CheckpointContainer = checkpoints,
                DeadLetterContainer = deadLetters,
            };
    }

    private (string? Queue, string? Topic) QueueOrTopic(MessagingConnectionString? serviceBus)
    {
        string? queue = Value(ServiceBusQueue);
        string? topic = Value(ServiceBusTopic);
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
        MessagingConnectionString? parsed = KeyOrEntraId(name, MessagingConnectionString.Parse, namespaceName, MessagingConnectionString.OfNamespace);
        if (parsed is { UseDevelopmentEmulator: true, IsLoopback: false })
        {
            Problem(name, $"UseDevelopmentEmulator is allowed for loopback hosts only, got '{parsed.Host}'");
            return null;
        }

        return parsed;
    }

    // A connection string holds a key; an address alone says that Entra ID vouches for us.
    private T? KeyOrEntraId<T>(string name, Func<string, T> parse, string addressName, Func<string, T> address)
        where T : class
    {
        (string? text, string? alone) = (Value(name), Value(addressName));
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

    // A name may come from its own variable or from EntityPath; both must then be equal, as the official clients demand.
    private string? Entity(string name, string connectionName, MessagingConnectionString? connection)
    {
        string? named = Value(name);
        string? path = connection?.EntityPath;
        if (named is not null && path is not null && !string.Equals(named, path, StringComparison.OrdinalIgnoreCase))
        {
            Problem(name, $"'{named}' differs from 'EntityPath' of {connectionName}, which is '{path}'");
        }

        return named ?? path;
    }

    private string Container(string name, string preset)
    {
        string container = Value(name) ?? preset;
        bool allowed =
            container.Length is >= 3 and <= 63
            && container.All(static letter => letter is (>= 'a' and <= 'z') or (>= '0' and <= '9') or '-')
            && container[0] != '-'
            && container[^1] != '-'
            && !container.Contains("--", StringComparison.Ordinal);
        if (!allowed)
        {
            Problem(name, $"'{container}' is not a container name, allowed are 3 to 63 lower-case letters, digits and single hyphens");
        }

        return container;
    }

    private string? Value(string name) => environment(name) is { } value && !string.IsNullOrWhiteSpace(value) ? value.Trim() : null;

    private void Problem(string name, string what) => problems.Add($"{name}: {what}");
}
