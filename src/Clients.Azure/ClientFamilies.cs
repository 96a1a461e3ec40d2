namespace EventHubThroughput.Clients.Azure;

/// <summary>The client families that every program offers.</summary>
public static class ClientFamilies
{
    /// <summary>All of them. The first is the default.</summary>
    public static IReadOnlyList<ClientFamily> All { get; } = [OfficialClients.Family, ClientFamily.BuiltIn];
}
