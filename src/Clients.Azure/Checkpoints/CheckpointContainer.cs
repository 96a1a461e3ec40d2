using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Clients.Azure.Checkpoints;

/// <summary>The container of ownerships and checkpoints.</summary>
/// <param name="All">The container, for everything except writing checkpoints.</param>
/// <param name="Writes">The same container, for writing checkpoints: their writer repeats a failed write itself.</param>
internal sealed record CheckpointContainer(IBlobContainer All, IBlobContainer Writes)
{
    /// <summary>Creates a store of another package, which processors use. Null for <see cref="ContainerCheckpointStore"/>.</summary>
    public Func<CheckpointStore>? StoreOfPackage { get; init; }

    public string Name => All.Name;
}
