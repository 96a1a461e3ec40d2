using System.Globalization;
using Azure.Core;
using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients.Azure.Auth;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>An event hub, a consumer group, and how the package connects: by a connection string or by a credential.</summary>
internal sealed record HubAddress
{
    private const int TlsPort = 5671;
    private const int HttpsPort = 443;

    /// <summary>The namespace's host, as in the names of checkpoints.</summary>
    public required string FullyQualifiedNamespace { get; init; }

    public required string EventHubName { get; init; }

    public required string ConsumerGroup { get; init; }

    /// <summary>Host and port, for messages.</summary>
    public required string Server { get; init; }

    /// <summary>It contains a key, so only the constructors of the package receive it. Null with <see cref="Credential"/>.</summary>
    public string? ConnectionString { get; init; }

    public TokenCredential? Credential { get; init; }

    /// <summary>Transport, proxy and endpoint of each connection.</summary>
    public required EventHubConnectionOptions Connection { get; init; }

    /// <summary>Creates the address from settings.</summary>
    /// <param name="settings">The event hub and its key.</param>
    /// <param name="credential">The credential if there is no key.</param>
    public static HubAddress Of(MessagingSettings settings, TokenCredential? credential) =>
        new()
        {
            FullyQualifiedNamespace = settings.EventHubNamespace,
            EventHubName = settings.EventHubName,
            ConsumerGroup = settings.ConsumerGroup,
            Server = string.Create(CultureInfo.InvariantCulture, $"{settings.EventHub.Host}:{settings.Transport.GetPort(settings.EventHub)}"),
            ConnectionString = credential is null ? SdkConnectionString.Of(settings.EventHub) : null,
            Credential = credential,
            Connection = new EventHubConnectionOptions
            {
                TransportType = settings.Transport == MessagingTransport.WebSockets ? EventHubsTransportType.AmqpWebSockets : EventHubsTransportType.AmqpTcp,
                CustomEndpointAddress = SdkConnectionString.GetEndpoint(settings.EventHub),
            },
        };

    /// <summary>Creates the address of an event hub that is accessed with a credential.</summary>
    /// <param name="consumerGroup">The consumer group.</param>
    /// <param name="fullyQualifiedNamespace">The namespace's host, or an address with this host.</param>
    /// <param name="eventHubName">The event hub.</param>
    /// <param name="credential">The credential.</param>
    /// <param name="connection">Transport, proxy and endpoint.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it.</exception>
    public static HubAddress Of(
        string consumerGroup,
        string fullyQualifiedNamespace,
        string eventHubName,
        TokenCredential credential,
        EventHubConnectionOptions connection
    )
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(consumerGroup);
        ArgumentException.ThrowIfNullOrWhiteSpace(fullyQualifiedNamespace);
        ArgumentException.ThrowIfNullOrWhiteSpace(eventHubName);
        ArgumentNullException.ThrowIfNull(credential);
        var host = Uri.TryCreate(fullyQualifiedNamespace, UriKind.Absolute, out var address) ? address.Host : fullyQualifiedNamespace;
        if (Uri.CheckHostName(host) == UriHostNameType.Unknown)
        {
            throw new ArgumentException(
                $"'{fullyQualifiedNamespace}': allowed is a host such as orders.servicebus.windows.net",
                nameof(fullyQualifiedNamespace)
            );
        }

        return new HubAddress
        {
            FullyQualifiedNamespace = host,
            EventHubName = eventHubName,
            ConsumerGroup = consumerGroup,
            Server = GetServer(host, port: -1, connection),
            Credential = credential,
            Connection = connection,
        };
    }

    /// <summary>Creates the address of an event hub that is accessed with a connection string.</summary>
    /// <param name="consumerGroup">The consumer group.</param>
    /// <param name="connectionString">The connection string, with a key or a shared access signature.</param>
    /// <param name="eventHubName">The event hub. Null uses the <c>EntityPath</c> of the connection string.</param>
    /// <param name="connection">Transport, proxy and endpoint.</param>
    /// <exception cref="ArgumentException">An argument is invalid. The message names it. Of the connection string it shows only names.</exception>
    public static HubAddress Of(string consumerGroup, string connectionString, string? eventHubName, EventHubConnectionOptions connection)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(consumerGroup);
        ArgumentException.ThrowIfNullOrWhiteSpace(connectionString);
        if (eventHubName is not null)
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(eventHubName);
        }

        var parts = GetParts(connectionString);
        if (eventHubName is not null && parts.EventHubName is { Length: > 0 } path && !string.Equals(eventHubName, path, StringComparison.OrdinalIgnoreCase))
        {
            throw new ArgumentException($"'{eventHubName}' differs from the EntityPath of the connection string, which is '{path}'", nameof(eventHubName));
        }

        return new HubAddress
        {
            FullyQualifiedNamespace = parts.FullyQualifiedNamespace,
            EventHubName =
                eventHubName
                ?? (
                    string.IsNullOrEmpty(parts.EventHubName)
                        ? throw new ArgumentException("The connection string has no EntityPath: set the name of the event hub.", nameof(connectionString))
                        : parts.EventHubName
                ),
            ConsumerGroup = consumerGroup,
            Server = GetServer(parts.Endpoint.Host, parts.Endpoint.Port, connection),
            ConnectionString = connectionString,
            Connection = connection,
        };
    }

    /// <summary>Creates a connection, which opens when it is first used.</summary>
    public EventHubConnection Connect() =>
        Credential is null
            ? new EventHubConnection(ConnectionString, EventHubName, Connection)
            : new EventHubConnection(FullyQualifiedNamespace, EventHubName, Credential, Connection);

    private static EventHubsConnectionStringProperties GetParts(string connectionString)
    {
        var parts =
            TryParse(connectionString)
            ?? throw new ArgumentException(
                "The connection string is malformed: its parts have the form Name=Value, separated by semicolons.",
                nameof(connectionString)
            );
        if (string.IsNullOrEmpty(parts.Endpoint?.Host))
        {
            throw new ArgumentException("The connection string has no Endpoint.", nameof(connectionString));
        }

        var hasKey = !string.IsNullOrEmpty(parts.SharedAccessKeyName) && !string.IsNullOrEmpty(parts.SharedAccessKey);
        return hasKey || !string.IsNullOrEmpty(parts.SharedAccessSignature)
            ? parts
            : throw new ArgumentException(
                "The connection string has neither SharedAccessKeyName and SharedAccessKey nor SharedAccessSignature.",
                nameof(connectionString)
            );
    }

    // The exception of the package may quote a part of the key.
    private static EventHubsConnectionStringProperties? TryParse(string connectionString)
    {
        try
        {
            return EventHubsConnectionStringProperties.Parse(connectionString);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private static string GetServer(string host, int port, EventHubConnectionOptions connection)
    {
        var usual = connection.TransportType == EventHubsTransportType.AmqpWebSockets ? HttpsPort : TlsPort;
        return connection.CustomEndpointAddress is { } custom
            ? $"{host} at {custom.Authority}"
            : string.Create(CultureInfo.InvariantCulture, $"{host}:{(port > 0 ? port : usual)}");
    }
}
