using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Handles the outcomes that a consumer's link sends for its messages. Without latency or faults an outcome is applied on the read loop. Slow ones run as
/// separate tasks.
/// </summary>
internal sealed class LinkSettlements(MessageQueue queue, AmqpSender sender, EndpointContext context, ILatency latency)
{
    private const int TokenBytes = 16;

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly HashSet<Task> _underWay = [];

    /// <summary>Completes when every outcome received so far is applied.</summary>
    public Task Completion
    {
        get
        {
            lock (_gate)
            {
                return Task.WhenAll([.. _underWay]);
            }
        }
    }

    // Runs on the read loop of the connection, so it is short and never waits. The client waits for the settled answer in any case.
    public void OnDisposition(OutgoingDelivery delivery, DeliveryState? state, bool settled)
    {
        if (delivery.Tag.Length != TokenBytes || (state is Received && !settled))
        {
            return;
        }

        if (state is null or Received)
        {
            // Settled without a state: the default outcome of the link applies.
            state = sender.RemoteAttach.Source?.DefaultOutcome;
        }

        if (context.Faults.HasNoFaults && context.FaultInjection.Of(EmulatedOperation.MessageSettle).IsFree)
        {
            Answer(delivery, Apply(new Guid(delivery.Tag.Span), state), settled);
            return;
        }

        var settling = SettleAsync(delivery, state, settled);
        lock (_gate)
        {
            _underWay.RemoveWhere(static task => task.IsCompleted);
            _underWay.Add(settling);
        }
    }

    private static void Answer(OutgoingDelivery delivery, DeliveryState answer, bool settled)
    {
        if (!settled)
        {
            delivery.Settle(answer);
        }
    }

    private async Task SettleAsync(OutgoingDelivery delivery, DeliveryState? state, bool settled)
    {
        try
        {
            await latency.ApplyAsync(EmulatedOperation.MessageSettle, context.Stopping);
            var token = new Guid(delivery.Tag.Span);
            var target = new FaultTarget(FaultTarget.ServiceBus, queue.Name, Detail: queue.FindLocked(token)?.MessageId);
            var fault = await context.Faults.TryInjectAsync(FaultPoint.Settle, target, context.Stopping);
            switch (fault?.Action)
            {
                case FaultAction.Refuse:
                    Answer(delivery, new Rejected(fault.Reason.ToError(target)), settled);
                    return;
                case FaultAction.BlackHole:
                    return;
                case FaultAction.Drop:
                    sender.Session.Connection.Abort(null);
                    return;
                case FaultAction.Detach:
                    await LinkShutdown.DetachAsync(sender, fault.Reason.ToError(target), context.Clock);
                    return;
                default:
                    break;
            }

            var answer = Apply(token, state);
            if (!fault.LosesAnswer(sender.Session.Connection))
            {
                Answer(delivery, answer, settled);
            }
        }
        catch (Exception exception)
        {
            Answer(delivery, Rejections.Of(exception, context.Log, queue.Name), settled);
        }
    }

    private DeliveryState Apply(Guid token, DeliveryState? state)
    {
        var message = context.Journal.IsOn ? queue.FindLocked(token) : null;
        var answer = QueueSettlement.Apply(queue, token, state);
        if (message is not { } known || answer is Rejected { Error: not null })
        {
            return answer;
        }

        try
        {
            context.Journal.Settled(queue.Name, known, QueueSettlement.GetName(state), sender.Name);
            return answer;
        }
        catch (IOException)
        {
            // Settled, but an outcome that is not in the journal is not confirmed.
            return QueueSettlement.NotJournalled;
        }
    }
}
