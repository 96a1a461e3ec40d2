using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>The clients, checkpoint stores, strategies and sinks of this build.</summary>
internal sealed class AvailableComponents
{
    private readonly IReadOnlyList<StrategyDescriptor> further;

    private AvailableComponents(IReadOnlyList<StrategyDescriptor> further, CustomSinks? own = null)
    {
        this.further = further;
        Sinks = own;
        Strategies = [.. StrategyCatalog.All, .. OfficialComponents.Strategies, .. further];
    }

    /// <summary>The components of this process: those of the build, and the strategies of a custom assembly.</summary>
    public static AvailableComponents Current { get; private set; } = new([]);

    /// <summary>The components with further strategies, for tests.</summary>
    public static AvailableComponents With(params IReadOnlyList<StrategyDescriptor> further) => new(further);

    /// <summary>Adds custom strategies to those of this process. Called before a command line is built.</summary>
    /// <exception cref="UsageException">A name is taken.</exception>
    public static void Extend(IReadOnlyList<StrategyDescriptor> own)
    {
        var names = Current.Strategies.Concat(own).GroupBy(static strategy => strategy.Name, StringComparer.Ordinal);
        if (names.FirstOrDefault(static name => name.Skip(1).Any()) is { } taken)
        {
            throw new UsageException($"{StrategyAssembly.Option}: strategy '{taken.Key}': the name is taken");
        }

        Current = new([.. Current.further, .. own], Current.Sinks);
    }

    /// <summary>Adds custom sinks to those of this process. Called before a command line is built.</summary>
    /// <param name="file">The assembly that they come from.</param>
    /// <param name="option">The option that names it.</param>
    /// <exception cref="UsageException">It cannot be used.</exception>
    public static void ExtendSinks(string file, string option = SinkAssembly.Option) =>
        Current = Current.WithSinks(new CustomSinks(Path.GetFullPath(file), SinkAssembly.Load(file, option)));

    /// <summary>The components with custom sinks, for tests.</summary>
    public AvailableComponents WithSinks(CustomSinks own) => new(further, own);

    /// <summary>Custom sinks, beside those that everything is written to. Null without.</summary>
    public CustomSinks? Sinks { get; }

    /// <summary>Every sink that can be chosen.</summary>
    public IEnumerable<SinkDescriptor> AllSinks => SinkCatalog.All.Concat(Sinks?.All ?? []);

    /// <summary>The sink of a name, or null.</summary>
    public SinkDescriptor? FindSink(string name) => AllSinks.FirstOrDefault(known => known.Name == name);

    /// <summary>The strategies, in the order in which they are compared and listed.</summary>
    public IReadOnlyList<StrategyDescriptor> Strategies { get; }

    /// <summary>The families of clients. The first is the default.</summary>
    public static IReadOnlyList<ClientFamily> Clients => ClientFamilies.All;

    /// <summary>The family of these names, which are values of the two options.</summary>
    /// <exception cref="UsageException">This build has no such family, or the family no such store.</exception>
    public static ClientFamily GetFamily(string clients, string checkpointStore = CheckpointStores.Own) =>
        Clients.Append(OfficialComponents.WithPackageStore).FirstOrDefault(family => family?.Name == clients && family.CheckpointStore == checkpointStore)
        ?? throw new UsageException($"clients '{clients}' with checkpoint store '{checkpointStore}': unknown");

    /// <summary>A family in one text, which <see cref="FamilyOfText"/> reads: its name, and its checkpoint store where that is another than this project's.</summary>
    public static string GetText(ClientFamily family) =>
        family.CheckpointStore == CheckpointStores.Own ? family.Name : $"{family.Name}/{family.CheckpointStore}";

    /// <summary>The family of a text by <see cref="GetText"/>.</summary>
    /// <exception cref="UsageException">This build has no such family, or the family no such store.</exception>
    public static ClientFamily FamilyOfText(string text) => text.Split('/', 2) is [var name, var store] ? GetFamily(name, store) : GetFamily(text);
}

/// <param name="File">The assembly that they come from.</param>
/// <param name="All">The sinks.</param>
internal sealed record CustomSinks(string File, IReadOnlyList<SinkDescriptor> All);
