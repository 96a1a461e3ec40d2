using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Where links of the Service Bus endpoint lead.</summary>
internal sealed class ServiceBusLinks(IEnumerable<MessageQueue> queues) : IServiceLinks
{
    private readonly Dictionary<string, MessageQueue> _queues = queues.ToDictionary(static queue => queue.Name, StringComparer.OrdinalIgnoreCase);

    public ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (peer.RefusedAccess(request, address.Path))
        {
            return ValueTask.CompletedTask;
        }

        var queue = address.Subscription is null ? _queues.GetValueOrDefault(address.Entity) : null;
        queue = address.DeadLetter ? queue?.DeadLetters : queue;
        if (queue is null)
        {
            return Refuse(request, Refusals.EntityNotFound(address.Path));
        }

        if (address.Kind == EntityAddressKind.Management)
        {
            return new RequestNode(address.Path, peer.Replies, new QueueManagement(queue).Answer, peer.Context.Clock).ServeAsync(request, cancellationToken);
        }

        if (address.Kind != EntityAddressKind.Entity)
        {
            return Refuse(request, Refusals.EntityNotFound(address.Path));
        }

        if (request.PeerIsSender)
        {
            return address.DeadLetter
                ? Refuse(request, new AmqpError(ErrorCondition.NotAllowed, "Messages cannot be sent to a dead-letter queue."))
                : new QueueIntake(queue, peer.Context).ServeAsync(request, cancellationToken);
        }

        return HasSessionFilter(request)
            ? Refuse(request, Refusals.NotSupported("Sessions are"))
            : new QueueReceiver(queue, peer.Context.Clock).ServeAsync(request, cancellationToken);
    }

    // A null value asks for the next free session.
    private static bool HasSessionFilter(LinkRequest request) =>
        request.Attach.Source?.Filter is { } filter
        && (filter.ContainsKey(new Amqp.Codec.AmqpSymbol(AmqpNames.SessionFilter)) || filter.ContainsKey(AmqpNames.SessionFilter));

    private static ValueTask Refuse(LinkRequest request, AmqpError error)
    {
        request.Refuse(error);
        return ValueTask.CompletedTask;
    }
}
