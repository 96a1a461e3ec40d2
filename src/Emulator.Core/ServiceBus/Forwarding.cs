using EventHubThroughput.Emulator.Logs;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// Carries the messages of a queue to the entity that it forwards to, one after another, outside of every gate. A message leaves
/// its queue after it has arrived: a process that dies in between forwards it twice, never not at all.
/// </summary>
internal sealed class Forwarding(MessageQueue queue, MessageStore store)
{
    /// <summary>As many as the service allows. A message that comes round in a loop ends after them.</summary>
    public const int MostHops = 4;

    private int _calls;

    /// <summary>Forwards what waits. Whoever calls while another is at it leaves the work to that one, so that order is kept.</summary>
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
                return Strand(message, "MaxTransferHopCountExceeded", $"The message was forwarded {MostHops} times, which is the most that is allowed.");
            }

            // Nobody forwards any more: the message waits here.
            if (queue.Settings.ForwardTo is not { } destination)
            {
                return false;
            }

            if (store.Find(destination) is not { } entity)
            {
                return Strand(
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

            // A full disk, or an entity that was deleted at this moment: another attempt will tell. Whatever it was, it is nothing
            // to whoever called, and must not end the forwarding.
        }

        store.ArmForRetry();
        return false;
    }

    private bool Strand(QueuedMessage message, string reason, string description) =>
        Settle(() =>
        {
            // The queue may have been deleted meanwhile, or forward no more.
            if (message.State == MessageState.Forwarding)
            {
                queue.Contents.Strand(message, reason, description);
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
