using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The link of a consumer on a queue. For each credit it locks a message, or deletes it when the link is pre-settled.</summary>
internal sealed class QueueReceiver(MessageQueue queue, EndpointContext context)
{
    private readonly ILatency _latency = context.FaultInjection.CreateLatency();

    // Set by the push loop when a fault ends the link, read after its end.
    private AmqpError? _farewell;

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        var sender = request.AcceptSender(new LinkAnswer());
        var settlements = new LinkSettlements(queue, sender, context, _latency);
        sender.DispositionReceived = settlements.OnDisposition;

        // When the link ends, locks stay until they expire. Messages may still be settled through another link.
        using var loop = new PushLoop(context.Clock, context.Log, cancellationToken, queue.Deleted);
        await loop.RunAsync(
            sender,
            queue.Receivers,
            () => PushAsync(sender, loop),
            () => queue.Deleted.IsCancellationRequested ? Refusals.EntityNotFound(queue.Name) : _farewell
        );
        queue.LastUse.Note(context.Clock.GetUtcNow());
        await settlements.Completion;
    }

    private async Task PushAsync(AmqpSender sender, PushLoop loop)
    {
        var takes = sender.RemoteAttach.SndSettleMode == SenderSettleMode.Settled;
        var idle = true;
        while (true)
        {
            loop.Stopping.ThrowIfCancellationRequested();

            // Read before the credit: a drain that arrives in between is handled in the next round, with its credit.
            var drain = sender.DrainRequested;
            if (sender.Credit > 0)
            {
                if (idle)
                {
                    // The receive latency of the profile: from new credit on a link without credit to its next message.
                    await _latency.ApplyAsync(EmulatedOperation.MessageReceive, loop.Stopping);
                    idle = false;
                }

                // No message is locked before there is credit for it.
                if ((takes ? queue.TryTake() : queue.TryLock()) is { } delivery)
                {
                    await TransferAsync(sender, delivery, takes, loop);
                    continue;
                }
            }
            else
            {
                idle = true;
            }

            // All available messages were sent. Without an answer to the drain the client would wait for its time-out.
            if (drain)
            {
                sender.CompleteDrain();
            }

            await loop.WaitAsync();
        }
    }

    private async Task TransferAsync(AmqpSender sender, QueueDelivery delivery, bool takes, PushLoop loop)
    {
        // Receive-and-delete removes a message after it was sent, so that the end of a link loses none.
        var transfer = takes ? new OutgoingTransfer { Settled = true } : new OutgoingTransfer { Tag = delivery.LockToken.ToByteArray() };
        ReadOnlyMemory<byte> encoded = (takes ? delivery with { State = MessageState.Available } : delivery).Encode();
        try
        {
            if (!context.Faults.HasNoFaults)
            {
                encoded = await InjectFaultsAsync(sender, delivery, encoded, loop);
            }

            context.Journal.Delivered(queue.Name, delivery.Content.MessageId, delivery.Sequence, sender.Name);
            await sender.TransferAsync(new ReadOnlySequence<byte>(encoded), transfer, loop.Stopping);
        }
        catch
        {
            queue.Release(delivery.LockToken);
            throw;
        }

        if (takes && queue.Taken(delivery.LockToken) && context.Journal.IsOn)
        {
            context.Journal.Settled(queue.Name, (delivery.Content.MessageId, delivery.Sequence), "complete", sender.Name);
        }
    }

    // Returns the bytes to send. Throws when a fault ends the link.
    private async Task<ReadOnlyMemory<byte>> InjectFaultsAsync(AmqpSender sender, QueueDelivery delivery, ReadOnlyMemory<byte> encoded, PushLoop loop)
    {
        var target = new FaultTarget(FaultTarget.ServiceBus, queue.Name, Detail: delivery.Content.MessageId);
        var fault = await context.Faults.TryInjectAsync(FaultPoint.MessageDeliver, target, loop.Stopping);
        switch (fault?.Action)
        {
            case FaultAction.Drop:
                sender.Session.Connection.Abort(null);
                break;
            case FaultAction.Detach:
                _farewell = fault.Reason.ToError(target);
                loop.Stop();
                break;
            case FaultAction.Corrupt:
                return TransferFaults.Corrupted(encoded);
            default:
                break;
        }

        loop.Stopping.ThrowIfCancellationRequested();
        return encoded;
    }
}
