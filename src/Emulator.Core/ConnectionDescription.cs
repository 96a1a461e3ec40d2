using System.Net;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator;

/// <summary>Connection strings and names, named like the environment variables that clients read.</summary>
internal sealed record ConnectionDescription
{
    private static readonly string[] ContainerVariables = ["STORAGE_CONTAINER", "CHECKPOINT_CONTAINER", "DEADLETTER_CONTAINER"];

    public required AccessKey Key { get; init; }

    /// <summary>The policies with fewer rights, with their keys.</summary>
    public IReadOnlyDictionary<AccessPolicy, string> Policies { get; init; } = new Dictionary<AccessPolicy, string>();

    public required IPEndPoint EventHubs { get; init; }

    public required IPEndPoint ServiceBus { get; init; }

    /// <summary>The connection string of the blob endpoint.</summary>
    public required string Storage { get; init; }

    public required Uri Admin { get; init; }

    /// <summary>The address with TLS of both messaging services. Null if there is none.</summary>
    public IPEndPoint? Encrypted { get; init; }

    /// <summary>The address with TLS of the administration. Null if there is none.</summary>
    public Uri? EncryptedAdmin { get; init; }

    /// <summary>The file of the certificate for TLS.</summary>
    public string? Certificate { get; init; }

    /// <summary>The entities. The settings name the first of each kind.</summary>
    public required EntitySet Entities { get; init; }

    public Dictionary<string, string> ToVariables()
    {
        var credentials = $"SharedAccessKeyName={AccessKey.Name};SharedAccessKey={Key.Reveal()};UseDevelopmentEmulator=true";
        var variables = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://{Reachable(EventHubs)};{credentials}",
        };
        if (Entities.Hubs.Count > 0)
        {
            variables["EVENTHUB_NAME"] = Entities.Hubs[0].Name;
            variables["EVENTHUB_CONSUMER_GROUP"] = Entities.Hubs[0].ConsumerGroups[0];
        }

        variables["SERVICEBUS_CONNECTION_STRING"] = $"Endpoint=sb://{Reachable(ServiceBus)};{credentials}";
        variables["SERVICEBUS_ADMINISTRATION_CONNECTION_STRING"] = $"Endpoint=sb://{Reachable(GetEndPoint(Admin))};{credentials}";
        if (Entities.Queues.Count > 0)
        {
            variables["SERVICEBUS_QUEUE"] = Entities.Queues[0].Name;
        }

        variables["STORAGE_CONNECTION_STRING"] = Storage;
        variables["EMULATOR_ADMIN_URL"] = Admin.GetLeftPart(UriPartial.Authority);
        var overTls = $"SharedAccessKeyName={AccessKey.Name};SharedAccessKey={Key.Reveal()}";
        if (Encrypted is not null)
        {
            variables["EMULATOR_TLS_CONNECTION_STRING"] = $"Endpoint=sb://{Named(Reachable(Encrypted))};{overTls}";
        }

        if (EncryptedAdmin is not null)
        {
            variables["EMULATOR_TLS_ADMINISTRATION_CONNECTION_STRING"] = $"Endpoint=sb://{Named(Reachable(GetEndPoint(EncryptedAdmin)))};{overTls}";
        }

        if (Certificate is not null)
        {
            variables["EMULATOR_TLS_CERTIFICATE"] = Certificate;
        }

        // A part of connection strings: both namespaces accept it, on each port.
        foreach (var (policy, key) in Policies)
        {
            variables[policy.Variable] = $"SharedAccessKeyName={policy.Name};SharedAccessKey={key}";
        }

        foreach (var (name, container) in ContainerVariables.Zip(Entities.Containers))
        {
            variables[name] = container;
        }

        return variables;
    }

    // An address omits the default ports of HTTP.
    private static IPEndPoint GetEndPoint(Uri address) => new(IPAddress.Parse(address.DnsSafeHost), address.Port);

    // Clients cannot connect to "all interfaces".
    private static IPEndPoint Reachable(IPEndPoint endPoint) =>
        endPoint.Address.Equals(IPAddress.Any) || endPoint.Address.Equals(IPAddress.IPv6Any) ? new IPEndPoint(IPAddress.Loopback, endPoint.Port) : endPoint;

    // Some clients check a certificate only against names.
    private static string Named(IPEndPoint endPoint) =>
        endPoint.Address.Equals(IPAddress.Loopback) || endPoint.Address.Equals(IPAddress.IPv6Loopback) ? $"localhost:{endPoint.Port}" : endPoint.ToString();
}
