using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The link of a producer. Appends each transfer atomically to one partition, then confirms it.</summary>
internal sealed class EventProducerLink(EventHub hub, PartitionLog? partition, EndpointContext context)
{
    private const uint Credit = 300;

    private readonly ILatency _latency = context.FaultInjection.CreateLatency();
    private readonly TransferLimits _limits = TransferLimits.OfHub(context.Limits);

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        // Without a maximum size one client applies no limit at all and another refuses every send.
        var receiver = request.AcceptReceiver(
            new LinkAnswer { MaxMessageSize = (ulong)_limits.MessageBytes, ToleratedMessageSize = _limits.ToleratedBytes },
            Credit
        );
        receiver.SetPrefetch(Credit);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, hub.Deleted);
        await foreach (var delivery in Deliveries.OfAsync(receiver, over.Token))
        {
            if (await StoreAsync(receiver, delivery) is { } outcome && !delivery.Settled)
            {
                receiver.Settle(delivery, outcome);
            }
        }

        if (hub.Deleted.IsCancellationRequested)
        {
            await LinkShutdown.DetachAsync(receiver, Refusals.EntityNotFound(hub.Name), context.Clock);
        }
    }

    // Returns null when the transfer gets no answer.
    private async ValueTask<DeliveryState?> StoreAsync(AmqpReceiver receiver, IncomingDelivery delivery)
    {
        var arrivedAt = _latency.Before(context.Clock.GetElapsedTime(delivery.ArrivedAt), ILatency.WakesOfRead);
        try
        {
            var transfer = IncomingTransfer.Read(delivery.Payload, delivery.MessageFormat, _limits, delivery.DeliveryId);
            var log = partition ?? hub.Route(transfer.PartitionKey);
            if (context.Faults.HasNoFaults && context.FaultInjection.Of(EmulatedOperation.EventSend).IsFree)
            {
                return Append(log, transfer);
            }

            var target = new FaultTarget(FaultTarget.EventHubs, hub.Name, log.Id);
            var admission = await _latency.ApplyAsync(
                EmulatedOperation.EventSend,
                new Load(transfer.Messages.Count, delivery.Payload.Length),
                arrivedAt,
                context.Stopping
            );
            if (admission.BusyFor is { } wait)
            {
                return new Rejected(FaultReason.Busy.ToError(target, wait));
            }

            var outcome = await StoreUnderFaultsAsync(receiver, delivery, log, transfer, target);
            admission.Answered();
            return outcome;
        }
        catch (Exception exception)
        {
            return Rejections.Of(exception, context.Log, hub.Name);
        }
    }

    private async ValueTask<DeliveryState?> StoreUnderFaultsAsync(
        AmqpReceiver receiver,
        IncomingDelivery delivery,
        PartitionLog log,
        IncomingTransfer transfer,
        FaultTarget target
    )
    {
        var fault = await context.Faults.TryInjectAsync(FaultPoint.EventSend, target, context.Stopping);
        if (fault is not null && await fault.EndsAsync(receiver, delivery, target, Credit, context))
        {
            return null;
        }

        if (fault?.Action == FaultAction.Corrupt)
        {
            transfer = IncomingTransfer.Read(TransferFaults.Corrupted(delivery.Payload), delivery.MessageFormat, _limits);
        }

        var outcome = Append(log, transfer);
        if (fault?.Action == FaultAction.Duplicate)
        {
            Append(log, transfer);
        }

        return fault.LosesAnswer(receiver.Session.Connection) ? null : outcome;
    }

    private DeliveryState Append(PartitionLog log, IncomingTransfer transfer)
    {
        var events = new IncomingEvent[transfer.Messages.Count];
        for (var i = 0; i < events.Length; i++)
        {
            // Buffered producers mix keys in one envelope, which then has no key. The key of each message takes precedence.
            events[i] = new IncomingEvent(transfer.Messages[i], transfer.Messages[i].PartitionKey ?? transfer.PartitionKey);
        }

        return log.TryAppend(events, GetJournal(log, transfer.Messages)) switch
        {
            AppendVerdict.Appended => Accepted.Instance,
            AppendVerdict.Deleted => new Rejected(Refusals.EntityNotFound(hub.Name)),
            _ => new Rejected(Refusals.MemoryExceeded(context.Budget.LimitBytes)),
        };
    }

    private Action<IReadOnlyList<StoredEvent>>? GetJournal(PartitionLog log, IReadOnlyList<MessageParts> messages)
    {
        if (!context.Journal.IsOn)
        {
            return null;
        }

        var digests = context.Journal.Digest(messages);
        return stored => context.Journal.Appended(hub.Name, log.Id, stored, digests);
    }
}
