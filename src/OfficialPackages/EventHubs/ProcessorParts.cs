using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.OfficialPackages.EventHubs;

/// <summary>What a processor is made from.</summary>
internal sealed record ProcessorParts
{
    /// <summary>The package's own store, by which processors of any SDK share the consumer group.</summary>
    public required CheckpointStore Store { get; init; }

    /// <summary>The same checkpoints, to be read.</summary>
    public required ICheckpointStore Checkpoints { get; init; }

    public required MessagingSettings Settings { get; init; }

    public required EventHubProcessorOptions Options { get; init; }

    /// <summary>The same options in the package's words.</summary>
    public required EventProcessorOptions SdkOptions { get; init; }

    /// <summary>Told of what is odd and does no harm, or null.</summary>
    public Action<string>? Notice { get; init; }

    /// <summary>Makes a handler for each partition that is taken.</summary>
    public required Func<IOwnedPartition, IPartitionHandler> Open { get; init; }
}
