using EventHubThroughput.Amqp;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.EventHubs;

namespace EventHubThroughput.Emulator;

/// <summary>
/// Both services on one port: a link leads to whichever owns what it names. Partitions and the namespace's own requests are of
/// hubs. Of a name that both have, the hub's. What nobody has is refused, or created on demand, by Service Bus.
/// </summary>
internal sealed class BothServicesLinks(EventHubRegistry hubs, IServiceLinks hubLinks, IServiceLinks queueLinks) : IServiceLinks
{
    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken) =>
        (IsOfHub(address) ? hubLinks : queueLinks).ServeAsync(peer, request, address, cancellationToken);

    private bool IsOfHub(EntityAddress address) =>
        address.Kind switch
        {
            EntityAddressKind.Partition or EntityAddressKind.PartitionReader => true,
            EntityAddressKind.Management when address.Entity.Length == 0 => true,
            EntityAddressKind.Management or EntityAddressKind.Entity => address.Subscription is null
                && !address.DeadLetter
                && hubs.All.Any(hub => string.Equals(hub.Name, address.Entity, StringComparison.OrdinalIgnoreCase)),
            _ => false,
        };
}
