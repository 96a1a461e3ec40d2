using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients.Azure.Checkpoints;

/// <summary>The container of ownerships and checkpoints.</summary>
/// <param name="All">The container, for everything but writing checkpoints.</param>
/// <param name="Writes">The same container, for writing checkpoints: their writer repeats them itself.</param>
internal sealed record CheckpointContainer(IBlobContainer All, IBlobContainer Writes)
{
    /// <summary>Makes a store of another package, which processors use. Null for <see cref="ContainerCheckpointStore"/>.</summary>
    public Func<CheckpointStore>? StoreOfPackage { get; init; }

    public string Name => All.Name;
}
