using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A consumer's link on a queue: locks a message for each credit, or takes it when the link is pre-settled.</summary>
internal sealed class QueueReceiver(MessageQueue queue, TimeProvider clock)
{
    private const int TokenBytes = 16;

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        var sender = request.AcceptSender(new LinkAnswer());
        sender.DispositionReceived = OnDisposition;

        // When it ends, locks stay until they expire: they may still be settled through another link.
        using var loop = new PushLoop(clock, cancellationToken, queue.Deleted);
        await loop.RunAsync(
            sender,
            queue.Receivers,
            () => PushAsync(sender, loop),
            () => queue.Deleted.IsCancellationRequested ? Refusals.EntityNotFound(queue.Name) : null);
    }

    private async Task PushAsync(AmqpSender sender, PushLoop loop)
    {
        var takes = sender.RemoteAttach.SndSettleMode == SenderSettleMode.Settled;
        while (true)
        {
            loop.Stopping.ThrowIfCancellationRequested();

            // Asked before the credit: a drain that comes in between is seen in the next round, with its credit.
            var drain = sender.DrainRequested;
            if (sender.Credit > 0)
            {
                // Nothing is locked before there is credit for it.
                if (queue.TryLock() is { } delivery)
                {
                    await TransferAsync(sender, delivery, takes, loop.Stopping);
                    continue;
                }
            }

            // Whatever was there has been sent: an unanswered drain costs the client its time-out.
            if (drain)
            {
                sender.CompleteDrain();
            }

            await loop.WaitAsync();
        }
    }

    private async Task TransferAsync(AmqpSender sender, QueueDelivery delivery, bool takes, CancellationToken cancellationToken)
    {
        // Receive-and-delete removes a message once it has gone out, so that a link which ends loses none.
        var transfer = takes
            ? new OutgoingTransfer { Settled = true }
            : new OutgoingTransfer { Tag = delivery.LockToken.ToByteArray() };
        var encoded = (takes ? delivery with { State = MessageState.Available } : delivery).Encode();
        try
        {
            await sender.TransferAsync(new ReadOnlySequence<byte>(encoded), transfer, cancellationToken);
        }
        catch
        {
            queue.Unlock(delivery.LockToken);
            throw;
        }

        if (takes)
        {
            queue.Complete(delivery.LockToken);
        }
    }

    // On the connection's read loop: short, and never waits. The client waits for the settled answer in any case.
    private void OnDisposition(OutgoingDelivery delivery, DeliveryState? state, bool settled)
    {
        if (delivery.Tag.Length != TokenBytes || (state is Received && !settled))
        {
            return;
        }

        var answer = QueueSettlement.Apply(queue, new Guid(delivery.Tag.Span), state);
        if (!settled)
        {
            delivery.Settle(answer);
        }
    }
}
