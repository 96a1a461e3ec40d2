using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>A producer's link: appends each transfer as one to one partition, then confirms it.</summary>
internal sealed class EventIntake(EventHub hub, PartitionLog? partition, EndpointContext context)
{
    private const uint Credit = 300;

    private readonly TransferLimits _limits = new()
    {
        MessageBytes = context.Limits.HubMessageBytes,
        BatchMessages = context.Limits.BatchMessages,
        PropertiesBytes = context.Limits.PropertiesBytes,
    };

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        // Without a maximum size one client has no limit at all and another refuses every send.
        var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = (ulong)_limits.MessageBytes, ToleratedMessageSize = _limits.ToleratedBytes }, Credit);
        receiver.SetPrefetch(Credit);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, hub.Deleted);
        await foreach (var delivery in Deliveries.OfAsync(receiver, over.Token))
        {
            var outcome = Append(delivery);
            if (!delivery.Settled)
            {
                receiver.Settle(delivery, outcome);
            }
        }

        if (hub.Deleted.IsCancellationRequested)
        {
            await Farewells.DetachAsync(receiver, Refusals.EntityNotFound(hub.Name), context.Clock);
        }
    }

    private DeliveryState Append(IncomingDelivery delivery)
    {
        try
        {
            var transfer = IncomingTransfer.Read(delivery.Payload, delivery.MessageFormat, _limits);
            var log = partition ?? hub.Route(transfer.PartitionKey);
            var events = new IncomingEvent[transfer.Messages.Count];
            for (var i = 0; i < events.Length; i++)
            {
                // Buffered producers mix keys in one envelope, which then has none: each message's own counts first.
                events[i] = new IncomingEvent(transfer.Messages[i], transfer.Messages[i].PartitionKey ?? transfer.PartitionKey);
            }

            return log.TryAppend(events, JournalOf(log, transfer.Messages)) switch
            {
                AppendVerdict.Appended => Accepted.Instance,
                AppendVerdict.Deleted => new Rejected(Refusals.EntityNotFound(hub.Name)),
                _ => new Rejected(Refusals.MemoryExceeded(context.Budget.LimitBytes)),
            };
        }
        catch (Exception exception)
        {
            return Rejections.Of(exception);
        }
    }

    private Action<IReadOnlyList<StoredEvent>>? JournalOf(PartitionLog log, IReadOnlyList<MessageParts> messages)
    {
        if (!context.Journal.IsOn)
        {
            return null;
        }

        var digests = context.Journal.Digest(messages);
        return stored => context.Journal.Appended(hub.Name, log.Id, stored, digests);
    }
}
