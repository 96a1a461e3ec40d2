using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Journal;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// The link of a producer on a queue or topic. Each transfer is recorded as begun when it has arrived. It waits for the latency of the profile. The serial part
/// follows the previous transfer of the link, and the rest overlaps. Then it is stored and confirmed.
/// </summary>
internal sealed class QueueSenderLink(IMessageEntity entity, EndpointContext context)
{
    private const uint Credit = 1_000;
    private const int MaximumInFlight = 2_048;

    private readonly ILatency _latency = context.FaultInjection.CreateLatency();
    private readonly TransferLimits _limits = TransferLimits.OfQueue(context.Limits);

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        var receiver = request.AcceptReceiver(
            new LinkAnswer
            {
                MaxMessageSize = (ulong)_limits.MessageBytes,
                ToleratedMessageSize = _limits.ToleratedBytes,
                Properties = GetProperties(request),
            },
            Credit
        );
        receiver.SetPrefetch(Credit);

        // Used only by this loop.
        var inFlight = new List<Task>();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, entity.Deleted);
        await foreach (var delivery in Deliveries.OfAsync(receiver, over.Token))
        {
            var storing = StoreAsync(receiver, delivery);
            if (!storing.IsCompleted)
            {
                inFlight.Add(storing);
                await PruneAsync(inFlight);
            }
        }

        // A message that has arrived is stored, even if its sender has disconnected.
        await Task.WhenAll(inFlight);
        if (entity.Deleted.IsCancellationRequested)
        {
            await LinkShutdown.DetachAsync(receiver, Refusals.EntityNotFound(entity.Name), context.Clock);
        }
    }

    // The properties of the peer, as in the answer of the service, and the bytes of a batch: a long (Azure/azure-sdk-for-net, pull request 57941).
    private AmqpMap GetProperties(LinkRequest request)
    {
        AmqpMap properties = [];
        foreach (var (name, value) in request.Attach.Properties ?? [])
        {
            properties[name] = value;
        }

        properties[new AmqpSymbol(AmqpNames.MaxMessageBatchSize)] = (long)_limits.BatchBytes;
        return properties;
    }

    private static async Task PruneAsync(List<Task> inFlight)
    {
        if (inFlight.Count < MaximumInFlight)
        {
            return;
        }

        await Task.WhenAny(inFlight);
        inFlight.RemoveAll(static task => task.IsCompleted);
    }

    // Never throws.
    private async Task StoreAsync(AmqpReceiver receiver, IncomingDelivery delivery)
    {
        DeliveryState outcome;
        Action? recorded = null;
        FaultRule? fault = null;
        var connection = receiver.Session.Connection;
        Admission admission = default;
        var arrivedAt = _latency.Before(context.Clock.GetElapsedTime(delivery.ArrivedAt), ILatency.WakesOfRead);
        try
        {
            if (delivery.State is TransactionalState)
            {
                throw new AmqpException(AmqpErrorScope.Delivery, Refusals.NotSupported("Transactions are"));
            }

            var transfer = IncomingTransfer.Read(delivery.Payload, delivery.MessageFormat, _limits, delivery.DeliveryId);
            var contents = transfer.Messages.Select(MessageContent.Of).ToArray();
            var ids = Array.ConvertAll(contents, static content => content.MessageId);
            var digests = context.Journal.Digest(transfer.Messages);
            context.Journal.Begun(entity.Name, ids, connection);
            var target = new FaultTarget(FaultTarget.ServiceBus, entity.Name, Detail: ids[0]) { Batch = ids.Length > 1 ? ids : null };
            var load = new Load(ids.Length, delivery.Payload.Length);
            admission = await _latency.ApplyAsync(EmulatedOperation.MessageSend, load, arrivedAt, context.Stopping);
            if (admission.BusyFor is { } wait)
            {
                receiver.Settle(delivery, new Rejected(FaultReason.Busy.ToError(target, wait)));
                return;
            }

            fault = await context.Faults.TryInjectAsync(FaultPoint.MessageSend, target, context.Stopping);
            if (fault is not null && await fault.EndsAsync(receiver, delivery, target, Credit, context))
            {
                return;
            }

            if (fault?.Action == FaultAction.Corrupt)
            {
                transfer = IncomingTransfer.Read(TransferFaults.Corrupted(delivery.Payload), delivery.MessageFormat, _limits);
                contents = [.. transfer.Messages.Select(MessageContent.Of)];
                digests = context.Journal.Digest(transfer.Messages);
            }

            if (fault?.Action == FaultAction.Duplicate)
            {
                // The fault affects each message of a batch. The record of the first one was written when it struck.
                foreach (var id in ids.Skip(1))
                {
                    context.Faults.Record(fault, FaultPoint.MessageSend, target with { Detail = id });
                }
            }

            // Recorded in the journal before any of them can be received.
            var receipt = entity.Send(contents, receipt => context.Journal.Stored(entity.Name, ids, digests, receipt, connection), hops: 0);
            outcome = receipt is null ? new Rejected(Refusals.MemoryExceeded(context.Budget.LimitBytes)) : Accepted.Instance;
            if (fault?.Action == FaultAction.Duplicate)
            {
                var copies = Array.ConvertAll(contents, static content => content.Shared());
                entity.Send(copies, twice => context.Journal.Stored(entity.Name, ids, digests, twice, connection), hops: 0);
            }

            recorded = () => context.Journal.Answered(entity.Name, ids, receipt, connection);
        }
        catch (Exception exception)
        {
            outcome = Rejections.Of(exception, context.Log, entity.Name);
        }

        if (fault.LosesAnswer(receiver.Session.Connection))
        {
            return;
        }

        // A transfer that is interrupted here is stored nevertheless, and its sender never learns that. Only an answer that was sent is recorded.
        if (!receiver.Settle(delivery, outcome, Answered))
        {
            admission.Answered();
        }

        void Answered()
        {
            admission.Answered();
            if (outcome is Accepted)
            {
                recorded?.Invoke();
            }
        }
    }
}
