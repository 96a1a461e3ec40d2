using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Metrics;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>What this build has to choose from; the official packages add to it when the build was made with them.</summary>
internal sealed partial class BuildOffer
{
    private readonly List<ClientFamily> clients = [ClientFamily.BuiltIn];
    private readonly List<StrategyDescriptor> strategies = [.. StrategyCatalog.All];

    private BuildOffer() => AddOfficialPackages();

    public static BuildOffer Current { get; } = new();

    /// <summary>The families of clients; the first is the one that is used unless another is named.</summary>
    public IReadOnlyList<ClientFamily> Clients => clients;

    /// <summary>The strategies, in the order in which they are compared and listed.</summary>
    public IReadOnlyList<StrategyDescriptor> Strategies => strategies;

    /// <summary>What writes the metrics of a registry, made before its first series.</summary>
    public Func<MetricRegistry, MetricsText> MetricsText { get; private set; } = static registry => registry.WriteTextAsync;

    /// <summary>The families that another build has.</summary>
    public AbsentChoices AbsentClients => Absent([ClientFamily.Official], Clients.Select(family => family.Name));

    /// <summary>The strategies that another build has.</summary>
    public AbsentChoices AbsentStrategies => Absent(StrategyCatalog.OfOfficialPackages, Strategies.Select(strategy => strategy.Name));

    /// <summary>The option that names a family, the same for every command.</summary>
    public static Option<string> ClientsOption() =>
        Options.Choice(
            "--clients",
            "Who speaks to the services",
            Current.Clients[0].Name,
            [.. Current.Clients.Select(family => family.Name)],
            Current.AbsentClients
        );

    /// <summary>A family of this build, by the value of that option.</summary>
    public ClientFamily FamilyOf(string name) => Clients.Single(family => family.Name == name);

    private static AbsentChoices Absent(IEnumerable<string> known, IEnumerable<string> present) =>
        new([.. known.Except(present, StringComparer.Ordinal)], "build with -p:OfficialPackages=true");

    // Implemented in BuildOffer.Official.cs, which only a build with the packages compiles.
    partial void AddOfficialPackages();
}
