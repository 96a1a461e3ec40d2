using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Routes the links of the Service Bus endpoint.</summary>
internal sealed class ServiceBusLinks(ServiceBusRegistry registry) : IServiceLinks
{
    public string GetService(EntityAddress address) => FaultTarget.ServiceBus;

    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (address.Kind == EntityAddressKind.Management)
        {
            // Java's client opens this link before its token is accepted, so access is checked with each request.
            var conditions = peer.GetConditions(FaultPoint.QueueManagement, FaultTarget.ServiceBus, address.Entity);
            return new RequestNode(address.Path, peer.Replies, message => AnswerTo(message, peer, address), peer.Context.Clock, conditions).ServeAsync(
                request,
                cancellationToken
            );
        }

        if (peer.RefusedAccess(request, address.Path))
        {
            return ValueTask.CompletedTask;
        }

        try
        {
            return address.Kind switch
            {
                EntityAddressKind.Entity or EntityAddressKind.Subscription when request.PeerIsSender => ServeProducer(
                    peer,
                    request,
                    address,
                    cancellationToken
                ),
                EntityAddressKind.Entity or EntityAddressKind.Subscription => ServeConsumer(peer, request, address, cancellationToken),
                _ => Refuse(request, Refusals.EntityNotFound(peer.GetAddress(address.Path))),
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
                ? Refuse(request, Refusals.EntityNotFound(peer.GetAddress(address.Path)))
                : Refuse(request, new AmqpError(ErrorCondition.NotAllowed, $"Messages cannot be sent to '{address.Path}', only to a queue or a topic."));
        }

        if (LinkRequirements.Refusal(request) is { } refusal)
        {
            return Refuse(request, refusal);
        }

        return registry.Find(address.Entity) is { } entity
            ? new QueueSenderLink(entity, peer.Context).ServeAsync(request, cancellationToken)
            : Refuse(request, Refusals.EntityNotFound(peer.GetAddress(address.Path)));
    }

    private ValueTask ServeConsumer(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (registry.FindQueue(address) is not { } queue)
        {
            return Refuse(request, Refusals.EntityNotFound(peer.GetAddress(address.Path)));
        }

        if (HasSessionFilter(request))
        {
            return Refuse(request, Refusals.NoSessions);
        }

        if (LinkRequirements.Refusal(request) is { } refusal)
        {
            return Refuse(request, refusal);
        }

        return !queue.Forwards
            ? new QueueReceiver(queue, peer.Context).ServeAsync(request, cancellationToken)
            : Refuse(request, new AmqpError(ErrorCondition.NotAllowed, "Cannot create a message receiver on an entity with auto-forwarding enabled."));
    }

    // Checks access first: an unauthorized client must not learn which names exist.
    private Answer AnswerTo(AmqpMessage message, PeerConnection peer, EntityAddress address) =>
        GetRight(message) is var right && !peer.Grants.Allows(address.Path, right)
            ? new Answer(401, Refusals.Unauthorized(address.Path, right.ToString()).Description!, ErrorCondition.UnauthorizedAccess)
        : GetRequests(address, peer.Context) is { } requests ? requests.Answer(message)
        : new Answer(404, Refusals.EntityNotFoundText(peer.GetAddress(address.Path)), ErrorCondition.NotFound);

    private static AccessRights GetRight(AmqpMessage message) =>
        message.ApplicationProperties?.FindString(AmqpNames.Operation) switch
        {
            AmqpNames.ScheduleMessageOperation or AmqpNames.CancelScheduledMessageOperation => AccessRights.Send,
            AmqpNames.AddRuleOperation or AmqpNames.RemoveRuleOperation or AmqpNames.EnumerateRulesOperation => AccessRights.Manage,
            _ => AccessRights.Listen,
        };

    private EntityRequests? GetRequests(EntityAddress address, EndpointContext context)
    {
        if (registry.FindTopic(address.Entity) is { } topic && address.Subscription is null)
        {
            return new EntityRequests(topic, topic.Scheduled, null, context);
        }

        if (registry.FindQueue(address) is not { } queue)
        {
            return null;
        }

        var subscription = address.DeadLetter || address.Subscription is not { } name ? null : registry.FindTopic(address.Entity)?.Find(name);
        return new EntityRequests(address.DeadLetter || subscription is not null ? null : queue, queue, subscription, context);
    }

    // A null value requests the next free session.
    private static bool HasSessionFilter(LinkRequest request) =>
        request.Attach.Source?.Filter is { } filter
        && (filter.ContainsKey(new AmqpSymbol(AmqpNames.SessionFilter)) || filter.ContainsKey(AmqpNames.SessionFilter));

    private static ValueTask Refuse(LinkRequest request, AmqpError error)
    {
        request.Refuse(error);
        return ValueTask.CompletedTask;
    }
}
