using EventHubThroughput.Amqp;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.EventHubs;

namespace EventHubThroughput.Emulator;

/// <summary>
/// Both services on one port: a link is served by the service that owns its entity. Partitions and the requests of the namespace belong to Event Hubs. If a hub
/// and a queue have the same name, the hub is used. For an unknown name Service Bus refuses the link or creates the entity on demand.
/// </summary>
internal sealed class BothServicesLinks(EventHubRegistry hubs, IServiceLinks hubLinks, IServiceLinks queueLinks) : IServiceLinks
{
    public string GetService(EntityAddress address) => GetLinks(address).GetService(address);

    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken) =>
        GetLinks(address).ServeAsync(peer, request, address, cancellationToken);

    private IServiceLinks GetLinks(EntityAddress address) => IsOfHub(address) ? hubLinks : queueLinks;

    private bool IsOfHub(EntityAddress address) =>
        address.Kind switch
        {
            EntityAddressKind.Partition or EntityAddressKind.PartitionReader => true,
            EntityAddressKind.Management when address.Entity.Length == 0 => true,
            EntityAddressKind.Management or EntityAddressKind.Entity => address.Subscription is null
                && !address.DeadLetter
                && hubs.FindPresent(address.Entity) is not null,
            _ => false,
        };
}
