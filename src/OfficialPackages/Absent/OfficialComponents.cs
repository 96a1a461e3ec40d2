using EventHubThroughput.Clients;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>What a build without the two packages offers: nothing, and a sentence for each name that it lacks.</summary>
public static class OfficialComponents
{
    /// <summary>The strategies that use Dasync.Collections: none here.</summary>
    public static IReadOnlyList<StrategyDescriptor> Strategies { get; } = [];

    /// <summary>The official clients with the checkpoint store of Azure.Messaging.EventHubs.Processor: null here.</summary>
    public static ClientFamily? WithPackageStore => null;

    /// <summary>The names that this build lacks, each with what adds it.</summary>
    public static IReadOnlyDictionary<string, string> Absent { get; } =
        StrategyCatalog
            .OfOfficialPackages.Append(CheckpointStores.Package)
            .ToDictionary(static name => name, static _ => "only in a build with -p:OfficialPackages=true", StringComparer.Ordinal);
}
