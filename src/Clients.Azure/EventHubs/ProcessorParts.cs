using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.EventHubs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.EventHubs;

internal sealed record ProcessorParts
{
    /// <summary>Ownerships and checkpoints as the package's processor writes them. Processors of any SDK can share the consumer group.</summary>
    public required CheckpointStore Store { get; init; }

    /// <summary>Reads the checkpoint that a partition starts from.</summary>
    public required Func<string, CancellationToken, Task<Checkpoint?>> ReadCheckpoint { get; init; }

    /// <summary>Reads the same ownerships.</summary>
    public required ICheckpointStore Ownerships { get; init; }

    /// <summary>The consumer group.</summary>
    public required CheckpointGroup Group { get; init; }

    /// <summary>The event hub and how to connect to it.</summary>
    public required HubAddress Address { get; init; }

    /// <summary>The name of the container of the checkpoints, for messages.</summary>
    public required string Container { get; init; }

    public required EventHubProcessorOptions Options { get; init; }

    /// <summary>The same options as a type of the package.</summary>
    public required EventProcessorOptions SdkOptions { get; init; }

    /// <summary>Receives lines about unusual but harmless events, or null.</summary>
    public Action<string>? Notice { get; init; }

    /// <summary>Logs changes of ownership and failures from which the package recovers.</summary>
    public required ILogger Log { get; init; }

    /// <summary>Creates a handler for each claimed partition.</summary>
    public required Func<IOwnedPartition, IPartitionHandler> Open { get; init; }
}
