using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.OfficialBlobs;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>What this build has to choose from; the official packages add to it when the build was made with them.</summary>
internal sealed partial class BuildOffer
{
    private readonly List<ClientFamily> clients = [ClientFamily.BuiltIn, OfficialBlobClients.Family];
    private readonly List<StrategyDescriptor> strategies = [.. StrategyCatalog.All];

    private readonly IReadOnlyList<StrategyDescriptor> further;

    private BuildOffer(IReadOnlyList<StrategyDescriptor> further)
    {
        this.further = further;
        AddOfficialPackages();
        strategies.AddRange(further);
    }

    /// <summary>What this process has: the build, and the strategies of an assembly that was named.</summary>
    public static BuildOffer Current { get; private set; } = new([]);

    /// <summary>The same and further strategies, as tests have them.</summary>
    public static BuildOffer With(params IReadOnlyList<StrategyDescriptor> further) => new(further);

    /// <summary>Adds strategies of somebody's own to what this process has; done before a command line is made.</summary>
    /// <exception cref="UsageException">A name is taken.</exception>
    public static void Extend(IReadOnlyList<StrategyDescriptor> own)
    {
        var names = Current.Strategies.Concat(own).GroupBy(static strategy => strategy.Name, StringComparer.Ordinal);
        if (names.FirstOrDefault(static name => name.Skip(1).Any()) is { } taken)
        {
            throw new UsageException($"{StrategyAssembly.Option}: strategy '{taken.Key}' has a name that is taken");
        }

        Current = With([.. Current.further, .. own]);
    }

    /// <summary>The families of clients; the first is the one that is used unless another is named.</summary>
    public IReadOnlyList<ClientFamily> Clients => clients;

    /// <summary>The strategies, in the order in which they are compared and listed.</summary>
    public IReadOnlyList<StrategyDescriptor> Strategies => strategies;

    /// <summary>The families that another build has.</summary>
    public AbsentChoices AbsentClients => Absent([ClientFamily.Official], Clients.Select(family => family.Name));

    /// <summary>The strategies that another build has.</summary>
    public AbsentChoices AbsentStrategies => Absent(StrategyCatalog.OfOfficialPackages, Strategies.Select(strategy => strategy.Name));

    /// <summary>The option that names a family, the same for every command.</summary>
    public static Option<string> ClientsOption() =>
        Options.Choice(
            "--clients",
            "Who speaks to the services: built-in or official clients, or official ones to storage alone",
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
