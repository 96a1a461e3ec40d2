using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Hosting.Configuration;
using Microsoft.Extensions.Configuration;

namespace EventHubThroughput.Hosting;

/// <summary>Reads the addresses of the services of one processing, and collects every problem. No problem contains a secret.</summary>
/// <param name="options">The options.</param>
/// <param name="azure">The Azure clients among the services.</param>
/// <param name="configuration">The configuration of the host, for connection strings by name. Null for none.</param>
/// <param name="problems">Receives the problems.</param>
internal sealed class ConnectionReader(EventHubHostingOptions options, GivenClients azure, IConfiguration? configuration, ProblemList problems)
{
    private const string Bus = nameof(EventHubHostingOptions.ServiceBus);
    private const string CheckpointKey = nameof(EventHubHostingOptions.CheckpointContainer);
    private const string StorageKey = nameof(EventHubHostingOptions.StorageConnectionString);

    /// <summary>Reads the settings. Null when there are problems.</summary>
    /// <param name="needsServiceBus">Whether a sink writes to Service Bus.</param>
    public MessagingSettings? Read(bool needsServiceBus)
    {
        var hub = Namespace("", options.ConnectionString, options.FullyQualifiedNamespace);
        var hubName = Entity(nameof(options.EventHubName), options.EventHubName, hub);
        if (hub is not null && hubName is null)
        {
            problems.Add(nameof(options.EventHubName), ": not set");
        }

        if (string.IsNullOrWhiteSpace(options.ConsumerGroup))
        {
            problems.Add(nameof(options.ConsumerGroup), ": blank, allowed is the name of a consumer group");
        }

        var (storage, checkpoints) = Storage();
        Container(nameof(options.DeadLetterContainer), options.DeadLetterContainer);
        Container(nameof(options.ArchiveContainer), options.ArchiveContainer);
        foreach (
            var same in ContainerNames.Problems([
                (CheckpointKey, checkpoints),
                (nameof(options.DeadLetterContainer), options.DeadLetterContainer),
                (nameof(options.ArchiveContainer), options.ArchiveContainer),
            ])
        )
        {
            problems.AddOption(same);
        }

        var (bus, queue, topic) = needsServiceBus ? ServiceBus() : default;
        return hub is null || hubName is null
            ? null
            : new MessagingSettings
            {
                EventHub = hub,
                EventHubName = hubName,
                ConsumerGroup = options.ConsumerGroup,
                Transport = options.Transport,
                Storage = storage,
                CheckpointContainer = checkpoints,
                DeadLetterContainer = options.DeadLetterContainer,
                ArchiveContainer = options.ArchiveContainer,
                ServiceBus = bus,
                Queue = queue,
                Topic = topic,
            };
    }

    private (MessagingConnectionString? Bus, string? Queue, string? Topic) ServiceBus()
    {
        var given = options.ServiceBus;
        var (queue, topic) = (given.Queue, given.Topic);
        var bus = Namespace($"{Bus}:", given.ConnectionString, given.FullyQualifiedNamespace);
        if (queue is not null && topic is not null)
        {
            problems.Add($"{Bus}:{nameof(given.Topic)}", $": set together with {nameof(given.Queue)}, choose one");
        }

        if (topic is not null)
        {
            return (bus, null, Entity($"{Bus}:{nameof(given.Topic)}", topic, bus));
        }

        queue = Entity($"{Bus}:{nameof(given.Queue)}", queue, bus);
        if (bus is not null && queue is null)
        {
            problems.Add($"{Bus}:{nameof(given.Queue)}", $": not set, nor is {nameof(given.Topic)}");
        }

        return (bus, queue, null);
    }

    // A connection string contains a key. A namespace without one needs a credential.
    private MessagingConnectionString? Namespace(string prefix, string? connectionString, string? fullyQualified)
    {
        var (connectionKey, namespaceKey) = ($"{prefix}{nameof(options.ConnectionString)}", $"{prefix}{nameof(options.FullyQualifiedNamespace)}");
        if (connectionString is not null && fullyQualified is not null)
        {
            problems.Add(namespaceKey, $": set together with {nameof(options.ConnectionString)}, choose one");
            return null;
        }

        if (connectionString is null && fullyQualified is null)
        {
            problems.Add(connectionKey, $": not set, nor is {nameof(options.FullyQualifiedNamespace)}");
            return null;
        }

        if (fullyQualified is not null)
        {
            return Parsed(namespaceKey, fullyQualified, MessagingConnectionString.OfNamespace);
        }

        var parsed = Text(connectionKey, connectionString!) is { } text ? Parsed(connectionKey, text, MessagingConnectionString.Parse) : null;
        if (parsed is { UseDevelopmentEmulator: true, IsLoopback: false })
        {
            problems.Add(connectionKey, $": UseDevelopmentEmulator is allowed for loopback hosts only, got '{parsed.Host}'");
            return null;
        }

        return parsed;
    }

    // The official clients refuse a name that differs from the one of the connection string.
    private string? Entity(string key, string? name, MessagingConnectionString? connection)
    {
        if (name is not null && connection?.EntityPath is { } path && !string.Equals(name, path, StringComparison.OrdinalIgnoreCase))
        {
            problems.Add(key, $" '{name}': differs from EntityPath of the connection string, which is '{path}'");
        }

        return name ?? connection?.EntityPath;
    }

    private (StorageConnectionString? Account, string Checkpoints) Storage()
    {
        var (connectionString, named) = (options.StorageConnectionString, options.CheckpointContainer);
        if (azure.Checkpoints is { } container)
        {
            foreach (var (key, value) in ((string, string?)[])[(StorageKey, connectionString), (CheckpointKey, named)])
            {
                if (value is not null)
                {
                    problems.Add(key, ": set together with the BlobContainerClient of the services, choose one");
                }
            }

            return (null, container.Name);
        }

        var name = named ?? "checkpoints";
        if (name.Contains("://", StringComparison.Ordinal))
        {
            return ByAddress(name, connectionString);
        }

        Container(CheckpointKey, name);
        if (connectionString is { } given)
        {
            return (Text(StorageKey, given) is { } text ? Parsed(StorageKey, text, StorageConnectionString.Parse) : null, name);
        }

        if (azure.Storage is null)
        {
            problems.Add(
                CheckpointKey,
                $": no storage account. Set the address of the container, {nameof(options.StorageConnectionString)}, or a BlobServiceClient or BlobContainerClient among the services"
            );
        }

        return (null, name);
    }

    private (StorageConnectionString? Account, string Checkpoints) ByAddress(string address, string? connectionString)
    {
        if (connectionString is not null)
        {
            problems.Add(CheckpointKey, $": an address together with {StorageKey}, choose one");
        }

        // An address may contain a signature in its query, so it is not shown.
        var end = address.TrimEnd('/').LastIndexOf('/');
        var name = address.TrimEnd('/')[(end + 1)..];
        if (address.Contains('?', StringComparison.Ordinal) || !ContainerNames.IsAllowed(name))
        {
            problems.Add(CheckpointKey, ": not the address of a container, allowed is one like https://ACCOUNT.blob.core.windows.net/CONTAINER");
            return (null, "checkpoints");
        }

        return (Parsed(CheckpointKey, address[..end], StorageConnectionString.OfAddress), name);
    }

    private void Container(string key, string name)
    {
        if (!ContainerNames.IsAllowed(name))
        {
            problems.Add(key, $" '{SecretText.Mask(name)}': {ContainerNames.Allowed}");
        }
    }

    // A name among ConnectionStrings has no '=', which every connection string has. Anything else may be half a key, so it is not shown.
    private string? Text(string key, string value)
    {
        if (value.Contains('=', StringComparison.Ordinal))
        {
            return value;
        }

        var text = configuration?.GetConnectionString(value);
        if (string.IsNullOrWhiteSpace(text))
        {
            problems.Add(key, ": neither a connection string nor the name of one among ConnectionStrings");
            return null;
        }

        return text;
    }

    private T? Parsed<T>(string key, string text, Func<string, T> parse)
        where T : class
    {
        try
        {
            return parse(text);
        }
        catch (FormatException malformed)
        {
            problems.Add(key, $": {malformed.Message}");
            return null;
        }
    }
}
