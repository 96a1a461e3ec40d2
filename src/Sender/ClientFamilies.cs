using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Sender;

/// <summary>The families of clients of this build; the official packages add theirs when the build was made with them.</summary>
internal sealed partial class ClientFamilies
{
    public const string Batched = "batched";
    public const string Buffered = "buffered";

    private readonly List<ClientFamily> all = [ClientFamily.BuiltIn];

    private ClientFamilies() => AddOfficialPackages();

    /// <summary>The first is the one that is used unless another is named.</summary>
    public static IReadOnlyList<ClientFamily> All { get; } = new ClientFamilies().all;

    /// <summary>The families that another build has.</summary>
    public static AbsentChoices Absent { get; } =
        new(All.Any(family => family.Name == ClientFamily.Official) ? [] : [ClientFamily.Official], "build with -p:OfficialPackages=true");

    /// <summary>Who may gather batches.</summary>
    public static string[] Producers { get; } = [Batched, Buffered];

    // Implemented in ClientFamilies.Official.cs, which only a build with the packages compiles.
    partial void AddOfficialPackages();
}
