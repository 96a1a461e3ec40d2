using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>The components that the two packages add to a build.</summary>
public static class OfficialComponents
{
    /// <summary>The strategies that use Dasync.Collections.</summary>
    public static IReadOnlyList<StrategyDescriptor> Strategies { get; } = [DasyncOuterLoopStrategy.Descriptor, DasyncCombinedStrategy.Descriptor];

    /// <summary>The official clients with the checkpoint store of Azure.Messaging.EventHubs.Processor.</summary>
    public static ClientFamily? WithPackageStore { get; } =
        OfficialClients.WithCheckpointStore(static container => new BlobCheckpointStore(container), typeof(BlobCheckpointStore));

    /// <summary>The names that this build does not have: none.</summary>
    public static IReadOnlyDictionary<string, string> Absent { get; } = new Dictionary<string, string>();
}
