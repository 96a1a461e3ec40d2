using EventHubThroughput.Clients;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>The components of a build without the two packages: none, and a message for each missing name.</summary>
public static class OfficialComponents
{
    /// <summary>The strategies that use Dasync.Collections: none in this build.</summary>
    public static IReadOnlyList<StrategyDescriptor> Strategies { get; } = [];

    /// <summary>The official clients with the checkpoint store of Azure.Messaging.EventHubs.Processor: null in this build.</summary>
    public static ClientFamily? WithPackageStore => null;

    /// <summary>The names that this build does not have, each with how to add it.</summary>
    public static IReadOnlyDictionary<string, string> Absent { get; } =
        StrategyCatalog
            .OfOfficialPackages.Append(CheckpointStores.Package)
            .ToDictionary(static name => name, static _ => "only in a build with -p:OfficialPackages=true", StringComparer.Ordinal);
}
