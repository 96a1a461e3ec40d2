using EventHubThroughput.Clients;

namespace EventHubThroughput.Sender;

/// <summary>The families of clients of this build; the official packages add theirs when the build was made with them.</summary>
internal sealed partial class ClientFamilies
{
    private readonly List<ClientFamily> all = [ClientFamily.BuiltIn];

    private ClientFamilies() => AddOfficialPackages();

    /// <summary>The first is the one that is used unless another is named.</summary>
    public static IReadOnlyList<ClientFamily> All { get; } = new ClientFamilies().all;

    // Implemented in ClientFamilies.Official.cs, which only a build with the packages compiles.
    partial void AddOfficialPackages();
}
