using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.OfficialBlobs;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>What this build has to choose from; the official packages add to it when the build was made with them.</summary>
internal sealed partial class BuildOffer
{
    private readonly List<ClientFamily> clients = [ClientFamily.BuiltIn, OfficialBlobClients.Family];
    private readonly List<StrategyDescriptor> strategies = [.. StrategyCatalog.All];

    private readonly IReadOnlyList<StrategyDescriptor> further;

    private BuildOffer(IReadOnlyList<StrategyDescriptor> further, OwnSinks? own = null)
    {
        this.further = further;
        Sinks = own;
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

        Current = new([.. Current.further, .. own], Current.Sinks);
    }

    /// <summary>Adds sinks of somebody's own to what this process has; done before a command line is made.</summary>
    /// <param name="file">The assembly that they come from.</param>
    /// <exception cref="UsageException">It cannot be used.</exception>
    public static void ExtendSinks(string file) => Current = Current.WithSinks(new OwnSinks(Path.GetFullPath(file), SinkAssembly.Load(file)));

    /// <summary>The same with sinks, as tests have them.</summary>
    public BuildOffer WithSinks(OwnSinks own) => new(further, own);

    /// <summary>Sinks of somebody's own, beside those that everything is written to; null without.</summary>
    public OwnSinks? Sinks { get; }

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

/// <summary>Sinks of somebody's own.</summary>
/// <param name="File">The assembly that they come from.</param>
/// <param name="All">The sinks.</param>
internal sealed record OwnSinks(string File, IReadOnlyList<SinkDescriptor> All);
