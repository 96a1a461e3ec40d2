using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients;

/// <summary>The sets of variables that programs need.</summary>
public enum SettingsScope
{
    /// <summary>Event hub only.</summary>
    Sender,

    /// <summary>Event hub and storage. Variables of Service Bus are ignored.</summary>
    Processing,

    /// <summary>Event hub, Service Bus and storage.</summary>
    Consumer,
}

/// <summary>Addresses and credentials of the services. Its text form hides every secret.</summary>
public sealed record MessagingSettings
{
    /// <summary>The event hub's namespace, and its key unless Entra ID is used.</summary>
    public required MessagingConnectionString EventHub { get; init; }

    /// <summary>The event hub.</summary>
    public required string EventHubName { get; init; }

    /// <summary>The consumer group. Default <c>$Default</c>.</summary>
    public string ConsumerGroup { get; init; } = "$Default";

    /// <summary>The Service Bus namespace, and its key unless Entra ID is used. Null where the scope needs none.</summary>
    public MessagingConnectionString? ServiceBus { get; init; }

    /// <summary>The queue. Null when <see cref="Topic"/> is given.</summary>
    public string? Queue { get; init; }

    /// <summary>The topic. Null when <see cref="Queue"/> is given.</summary>
    public string? Topic { get; init; }

    /// <summary>The one entity that the connection string of Service Bus is for (<c>EntityPath</c>). Null if it is for the namespace.</summary>
    public string? ServiceBusEntity => ServiceBus?.EntityPath;

    /// <summary>What carries AMQP to both namespaces. By default the socket itself.</summary>
    public MessagingTransport Transport { get; init; }

    /// <summary>The storage account. Null in the scope of a sender.</summary>
    public StorageConnectionString? Storage { get; init; }

    /// <summary>The container that gets the events. Default archive.</summary>
    public string ArchiveContainer { get; init; } = "archive";

    /// <summary>The container of ownerships and checkpoints. Default checkpoints.</summary>
    public string CheckpointContainer { get; init; } = "checkpoints";

    /// <summary>The container of events that could not be written. Default deadletters.</summary>
    public string DeadLetterContainer { get; init; } = "deadletters";

    /// <summary>The queue or topic that gets the events.</summary>
    public string? MessageEntity => Queue ?? Topic;

    /// <summary>The event hub's host without its port, as in checkpoint names.</summary>
    public string EventHubNamespace => EventHub.Host;

    /// <summary>The variables of those services that have no key, so that they need Entra ID.</summary>
    public IEnumerable<string> ByEntraId =>
        [
            .. EventHub is { Key: null } ? [EnvironmentReader.EventHubNamespace] : Array.Empty<string>(),
            .. ServiceBus is { Key: null } ? [EnvironmentReader.ServiceBusNamespace] : Array.Empty<string>(),
            .. Storage is { AccountKey.IsEmpty: true } ? [EnvironmentReader.StorageAccountUrl] : Array.Empty<string>(),
        ];

    /// <summary>Where the clients of a service connect.</summary>
    /// <exception cref="InvalidOperationException">The settings do not name the service.</exception>
    public ServiceAddress GetAddress(ProbedService service) =>
        service switch
        {
            ProbedService.EventHubs => ServiceAddress.Of(EventHub, Transport, EnvironmentReader.EventHubConnectionString, EnvironmentReader.EventHubNamespace),
            ProbedService.ServiceBus when ServiceBus is { } messages => ServiceAddress.Of(
                messages,
                Transport,
                EnvironmentReader.ServiceBusConnectionString,
                EnvironmentReader.ServiceBusNamespace
            ),
            ProbedService.Storage when Storage is { } account => ServiceAddress.Of(account),
            _ => throw new InvalidOperationException($"The settings name no {service}."),
        };

    /// <summary>Reads the variables that <paramref name="scope"/> needs. Lists every problem, never a secret.</summary>
    /// <param name="environment">Returns a variable's value, or null.</param>
    /// <param name="scope">The set of variables.</param>
    public static SettingsResult FromEnvironment(Func<string, string?> environment, SettingsScope scope) => new EnvironmentReader(environment).Read(scope);
}

/// <summary>The result of <see cref="MessagingSettings.FromEnvironment"/>: settings, or problems, or neither when nothing is set.</summary>
/// <param name="Settings">The settings. Null when there are problems or nothing is set.</param>
/// <param name="Problems">One line each, <c>VARIABLE: what is wrong</c>.</param>
public sealed record SettingsResult(MessagingSettings? Settings, IReadOnlyList<string> Problems)
{
    /// <summary>Whether no variable is set at all.</summary>
    public bool IsNone => Settings is null && Problems.Count == 0;

    /// <summary>The settings, for a program that needs them.</summary>
    /// <exception cref="InvalidOperationException">There are none. The message has a line for every problem, and no secret.</exception>
    public MessagingSettings Require() =>
        Settings ?? throw new InvalidOperationException(string.Join('\n', IsNone ? [$"{EnvironmentReader.EventHubConnectionString}: not set"] : Problems));
}
