using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>Routes the links of the Event Hubs endpoint.</summary>
internal sealed class EventHubsLinks(EventHubRegistry hubs) : IServiceLinks
{
    public string GetService(EntityAddress address) => FaultTarget.EventHubs;

    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (address.Kind == EntityAddressKind.Management)
        {
            // No token is required here: .NET sends it with each request.
            var management = new EventHubsManagement(hubs, peer);
            return new RequestNode(
                address.Path,
                peer.Replies,
                management.Answer,
                peer.Context.Clock,
                peer.GetConditions(FaultPoint.HubManagement, FaultTarget.EventHubs, address.Entity)
            ).ServeAsync(request, cancellationToken);
        }

        // Checks access first: an unauthorized client must not learn which names exist.
        if (peer.RefusedAccess(request, address.Path))
        {
            return ValueTask.CompletedTask;
        }

        if (((request.PeerIsSender ? Unsupported(request, address) : null) ?? LinkRequirements.Refusal(request, AmqpNames.SelectorFilter)) is { } unsupported)
        {
            return Refuse(request, unsupported);
        }

        var hub = hubs.Find(address.Entity);
        if (hub is not null && address.Partition is { } id && hub.FindPartition(id) is null && (address.ConsumerGroup is not { } named || hub.HasGroup(named)))
        {
            return Refuse(request, Refusals.PartitionOutOfRange(hub.Partitions.Count));
        }

        return (hub, address.Kind, request.PeerIsSender) switch
        {
            ({ } found, EntityAddressKind.Entity, true) when !address.DeadLetter => new EventProducerLink(found, null, peer.Context).ServeAsync(
                request,
                cancellationToken
            ),
            ({ } found, EntityAddressKind.Partition, true) when found.FindPartition(address.Partition) is { } log => new EventProducerLink(
                found,
                log,
                peer.Context
            ).ServeAsync(request, cancellationToken),
            ({ } found, EntityAddressKind.PartitionReader, false)
                when found.FindPartition(address.Partition) is { } log && found.FindGroup(address.ConsumerGroup!) is { } group => ServeReaderAsync(
                peer,
                request,
                found,
                log,
                group,
                cancellationToken
            ),
            _ => Refuse(request, Refusals.EntityNotFound(peer.GetAddress(address.Path))),
        };
    }

    // Refused with an error that clients do not retry. A producer that requires idempotence must not be accepted.
    private static AmqpError? Unsupported(LinkRequest request, EntityAddress address)
    {
        if (request.Attach.DesiredCapabilities?.Contains(new AmqpSymbol(AmqpNames.IdempotentProducerCapability)) ?? false)
        {
            return Refusals.NotSupported("Idempotent publishing is");
        }

        return address.Entity.Contains("/Publishers/", StringComparison.OrdinalIgnoreCase) ? Refusals.NotSupported("Publisher addresses are") : null;
    }

    private static ValueTask Refuse(LinkRequest request, AmqpError error)
    {
        request.Refuse(error);
        return ValueTask.CompletedTask;
    }

    private static async ValueTask ServeReaderAsync(
        PeerConnection peer,
        LinkRequest request,
        EventHub hub,
        PartitionLog log,
        ConsumerGroup group,
        CancellationToken cancellationToken
    )
    {
        if (GetStart(request.Attach.Source?.Filter) is not { } start)
        {
            request.Refuse(new AmqpError(AmqpNames.ArgumentError, "The filter of the receiver is not supported."));
            return;
        }

        // "Latest" means after this attach, so it is resolved before the answer is sent.
        if (log.Resolve(start, out var problem) is not { } position)
        {
            request.Refuse(new AmqpError(AmqpNames.ArgumentOutOfRangeError, problem));
            return;
        }

        var level = request.Attach.Properties?.FindInteger(AmqpNames.Epoch);
        using var reader = new EventReader(hub, log, group, level, peer.Context, cancellationToken);
        var readers = group.GetReaders(log.Id);
        switch (readers.TryJoin(reader, level))
        {
            case JoinVerdict.Stolen:
                request.Refuse(
                    new AmqpError(
                        ErrorCondition.LinkStolen,
                        "A receiver with a higher epoch already exists. A new receiver with epoch " + (level?.ToString() ?? "none") + " cannot be created."
                    )
                );
                return;
            case JoinVerdict.TooMany:
                request.Refuse(
                    new AmqpError(
                        ErrorCondition.ResourceLimitExceeded,
                        $"Exceeded the maximum number of allowed receivers per partition in a consumer group which is {PartitionReaders.MaximumWithoutLevel}."
                    )
                );
                return;
            default:
                break;
        }

        try
        {
            var metric = request.Attach.DesiredCapabilities?.Contains(new AmqpSymbol(AmqpNames.RuntimeMetricCapability)) ?? false;
            var receiverName = request.Attach.Properties?.Find(AmqpNames.ReceiverName) as string;
            var link = reader.Attach(request.Attach.Name, position, receiverName);
            await reader.PushAsync(request.AcceptSender(new LinkAnswer()), link, position, metric);
        }
        finally
        {
            readers.Leave(reader);
        }
    }

    // Clients use three descriptors for the filter. All of them use the same key.
    private static StartPosition? GetStart(AmqpMap? filter) =>
        filter?.Find(AmqpNames.SelectorFilter) switch
        {
            null => StartPosition.Earliest,
            AmqpDescribed { Value: string selector } => StartPosition.Parse(selector),
            string selector => StartPosition.Parse(selector),
            _ => null,
        };
}
