using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Laboratory.Faults;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Where links of the Service Bus endpoint lead.</summary>
internal sealed class ServiceBusLinks(ServiceBusRegistry registry) : IServiceLinks
{
    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (peer.RefusedAccess(request, address.Path))
        {
            return ValueTask.CompletedTask;
        }

        try
        {
            return address.Kind switch
            {
                EntityAddressKind.Management => ServeRequests(peer, request, address, cancellationToken),
                EntityAddressKind.Entity or EntityAddressKind.Subscription when request.PeerIsSender => ServeProducer(peer, request, address, cancellationToken),
                EntityAddressKind.Entity or EntityAddressKind.Subscription => ServeConsumer(peer, request, address, cancellationToken),
                _ => Refuse(request, Refusals.EntityNotFound(address.Path)),
            };
        }
        catch (IOException)
        {
            return Refuse(request, new AmqpError(ErrorCondition.InternalError, $"The emulator could not create '{address.Path}' on its disk."));
        }
    }

    private ValueTask ServeProducer(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (address.DeadLetter || address.Subscription is not null)
        {
            return registry.FindQueue(address) is null
                ? Refuse(request, Refusals.EntityNotFound(address.Path))
                : Refuse(request, new AmqpError(ErrorCondition.NotAllowed, $"Messages cannot be sent to '{address.Path}', only to a queue or a topic."));
        }

        return registry.Find(address.Entity) is { } entity
            ? new QueueIntake(entity, peer.Context).ServeAsync(request, cancellationToken)
            : Refuse(request, Refusals.EntityNotFound(address.Path));
    }

    private ValueTask ServeConsumer(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (registry.FindQueue(address) is not { } queue)
        {
            return Refuse(request, Refusals.EntityNotFound(address.Path));
        }

        if (HasSessionFilter(request))
        {
            return Refuse(request, Refusals.NoSessions);
        }

        return !queue.Forwards
            ? new QueueReceiver(queue, peer.Context).ServeAsync(request, cancellationToken)
            : Refuse(request, new AmqpError(ErrorCondition.NotAllowed, "Cannot create a message receiver on an entity with auto-forwarding enabled."));
    }

    private ValueTask ServeRequests(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        Func<AmqpMessage, Answer> answer;
        if (registry.FindTopic(address.Entity) is { } topic && address.Subscription is null)
        {
            answer = new EntityRequests(topic, topic.Scheduled, null, peer.Context).Answer;
        }
        else if (registry.FindQueue(address) is { } queue)
        {
            var subscription = address.DeadLetter || address.Subscription is not { } name ? null : registry.FindTopic(address.Entity)?.Find(name);
            answer = new EntityRequests(address.DeadLetter || subscription is not null ? null : queue, queue, subscription, peer.Context).Answer;
        }
        else
        {
            return Refuse(request, Refusals.EntityNotFound(address.Path));
        }

        return new RequestNode(address.Path, peer.Replies, answer, peer.Context.Clock, peer.ConditionsOf(FaultPoint.QueueManagement, address.Entity)).ServeAsync(request, cancellationToken);
    }

    // A null value asks for the next free session.
    private static bool HasSessionFilter(LinkRequest request) =>
        request.Attach.Source?.Filter is { } filter
        && (filter.ContainsKey(new AmqpSymbol(AmqpNames.SessionFilter)) || filter.ContainsKey(AmqpNames.SessionFilter));

    private static ValueTask Refuse(LinkRequest request, AmqpError error)
    {
        request.Refuse(error);
        return ValueTask.CompletedTask;
    }
}
