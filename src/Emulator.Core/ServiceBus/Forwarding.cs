using EventHubThroughput.Emulator.Logs;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Forwards the messages of a queue to another entity, one after another, without holding a gate. A message leaves its queue after it has arrived. If the
/// process ends between the two, it is forwarded twice, but never lost.
/// </summary>
internal sealed class Forwarding(MessageQueue queue, MessageStore store)
{
    /// <summary>The limit of the service. A message in a loop is not forwarded further.</summary>
    public const int MostHops = 4;

    private int _calls;

    /// <summary>Forwards waiting messages. A concurrent call returns immediately and leaves the work to the first, to keep the order.</summary>
    public void Run()
    {
        if (Interlocked.Increment(ref _calls) > 1)
        {
            return;
        }

        int seen;
        do
        {
            seen = Volatile.Read(ref _calls);
            while (First() is { } message && TryForward(message)) { }
        } while (Interlocked.CompareExchange(ref _calls, 0, seen) != seen);
    }

    private QueuedMessage? First()
    {
        lock (store.Gate)
        {
            return queue.Contents.ToForward;
        }
    }

    private bool TryForward(QueuedMessage message)
    {
        try
        {
            if (message.Hops >= MostHops)
            {
                return MoveToTransferDeadLetter(
                    message,
                    "MaxTransferHopCountExceeded",
                    $"The message was forwarded {MostHops} times, which is the most that is allowed."
                );
            }

            // Forwarding was disabled: the message waits here.
            if (queue.Settings.ForwardTo is not { } destination)
            {
                return false;
            }

            if (store.Find(destination) is not { } entity)
            {
                return MoveToTransferDeadLetter(
                    message,
                    "MessagingEntityNotFound",
                    $"The messaging entity '{destination}', to which '{queue.Name}' forwards, could not be found."
                );
            }

            var content = message.Hops == 0 ? message.Content.Forwarded(message.Sequence) : message.Content.Shared();
            if (entity.Send([content], null, (byte)(message.Hops + 1)) is not null)
            {
                return Settle(() => queue.Contents.Forwarded(message));
            }
        }
        catch (Exception exception)
        {
            EmulatorLog.ForwardingFailed(store.Trouble, queue.Name, exception);

            // The disk is full, or an entity was just deleted. A later attempt decides. The failure does not concern the caller, and must not end the
            // forwarding.
        }

        store.ArmForRetry();
        return false;
    }

    private bool MoveToTransferDeadLetter(QueuedMessage message, string reason, string description) =>
        Settle(() =>
        {
            // The queue may have been deleted in the meantime, or its forwarding disabled.
            if (message.State == MessageState.Forwarding)
            {
                queue.Contents.MoveToTransferDeadLetter(message, reason, description);
            }
        });

    private bool Settle(Action outcome)
    {
        lock (store.Gate)
        {
            outcome();
        }

        store.Announce();
        return true;
    }
}
