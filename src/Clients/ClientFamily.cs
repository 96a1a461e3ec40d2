namespace EventHubThroughput.Clients;

/// <summary>One implementation of all clients, chosen by its name on the command line.</summary>
/// <param name="Name">The value of <c>--clients</c>.</param>
/// <param name="Connect">Makes the clients; nothing is connected yet.</param>
public sealed record ClientFamily(string Name, Func<MessagingSettings, ClientOptions, IMessagingClients> Connect)
{
    /// <summary>The name of the family that only a build with the official packages has.</summary>
    public const string Official = "official";

    /// <summary>Whether it can be vouched for by Entra ID where a service has no key.</summary>
    public bool TakesEntraId { get; init; }

    /// <summary>Says in one line which versions speak and how they try again; null where that is this program itself.</summary>
    public Func<ClientOptions, string>? Describe { get; init; }

    /// <summary>The family of every build.</summary>
    public static ClientFamily BuiltIn { get; } = new("builtin", static (settings, options) => new BuiltInClients(settings, new BuiltInClientOptions(options)));

    /// <summary>Why this family cannot use such settings: one line for each variable that is in the way, none when it can.</summary>
    public IEnumerable<string> ProblemsOf(MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        return TakesEntraId
            ? []
            : settings.ByEntraId.Select(static variable => $"{variable}: Entra ID needs --clients={Official}, build with -p:OfficialPackages=true");
    }
}
