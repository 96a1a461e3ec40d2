using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>What a consumer's link says of its messages. In good times it is done where it is heard. What takes time is done beside.</summary>
internal sealed class LinkSettlements(MessageQueue queue, AmqpSender sender, EndpointContext context, ILatency latency)
{
    private const int TokenBytes = 16;

    private readonly Lock _gate = new();

    // Under the gate.
    private readonly HashSet<Task> _underWay = [];

    /// <summary>Completes when everything that was heard so far is done.</summary>
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

    // On the connection's read loop: short, and never waits. The client waits for the settled answer in any case.
    public void OnDisposition(OutgoingDelivery delivery, DeliveryState? state, bool settled)
    {
        if (delivery.Tag.Length != TokenBytes || (state is Received && !settled))
        {
            return;
        }

        if (state is null or Received)
        {
            // Settled, and no more is said: that is what the link's default is for.
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
            var target = new FaultTarget(context.Service, queue.Name, Detail: queue.FindLocked(token)?.MessageId);
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
            context.Journal.Settled(queue.Name, known, QueueSettlement.NameOf(state), sender.Name);
            return answer;
        }
        catch (IOException)
        {
            // Settled, but nothing is confirmed that is in no journal.
            return QueueSettlement.NotJournalled;
        }
    }
}
