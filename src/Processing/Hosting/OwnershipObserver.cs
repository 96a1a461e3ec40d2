using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Keeps the count of ownerships for the health check.</summary>
internal sealed class OwnershipObserver(ProcessingState state) : PartitionObserver
{
    public override void Opened(IPartitionLoad load, EventPosition? startedFrom) => state.Taken();

    public override void Closed(bool lost) => state.Ended();
}
