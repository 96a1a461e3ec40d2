namespace EventHubThroughput.Clients;

/// <summary>One choice of clients for all services, by its name on the command line.</summary>
/// <param name="Name">The value of <c>--clients</c>.</param>
/// <param name="Connect">Makes the clients; nothing is connected yet.</param>
public sealed record ClientFamily(string Name, Func<MessagingSettings, ClientOptions, IMessagingClients> Connect)
{
    /// <summary>The name of the family that only a build with the official packages has.</summary>
    public const string Official = "official";

    /// <summary>The name of the official blob client beside the built-in clients of Event Hubs and Service Bus.</summary>
    public const string BlobsOfficial = "blobs:official";

    /// <summary>The name of the family that speaks to the event hub, for programs that use no other service.</summary>
    public string EventHubs { get; init; } = Name;

    /// <summary>The variables of those services for which Entra ID can stand in where there is no key.</summary>
    public IReadOnlyList<string> EntraIdFor { get; init; } = [];

    /// <summary>Says in one line which versions speak and how they try again; null where that is this program itself.</summary>
    public Func<ClientOptions, string>? Describe { get; init; }

    /// <summary>The family of every build.</summary>
    public static ClientFamily BuiltIn { get; } = new("builtin", static (settings, options) => new BuiltInClients(settings, new BuiltInClientOptions(options)));

    /// <summary>Why this family cannot use such settings: one line for each variable that is in the way, none when it can.</summary>
    public IEnumerable<string> ProblemsOf(MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var remedy = settings.ByEntraId.All(static variable => variable == EnvironmentReader.StorageAccountUrl)
            ? BlobsOfficial
            : $"{Official}, build with -p:OfficialPackages=true";
        return settings.ByEntraId.Except(EntraIdFor, StringComparer.Ordinal).Select(variable => $"{variable}: Entra ID needs --clients={remedy}");
    }
}
