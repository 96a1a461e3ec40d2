using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Carries out what befalls a transfer that has arrived on a sender's link.</summary>
internal static class TransferFaults
{
    /// <summary>True when that is the end of the transfer: it is not stored.</summary>
    /// <param name="fault">What befalls it.</param>
    /// <param name="receiver">The link.</param>
    /// <param name="delivery">The transfer.</param>
    /// <param name="target">What it is about.</param>
    /// <param name="credit">What the link is granted in good times.</param>
    /// <param name="context">The service's.</param>
    public static async ValueTask<bool> EndsAsync(
        this FaultRule fault,
        AmqpReceiver receiver,
        IncomingDelivery delivery,
        FaultTarget target,
        uint credit,
        EndpointContext context
    )
    {
        switch (fault.Action)
        {
            case FaultAction.Refuse:
                receiver.Settle(delivery, new Rejected(fault.Reason.ToError(target)));
                return true;
            case FaultAction.Drop:
                receiver.Session.Connection.Abort(null);
                return true;
            case FaultAction.Detach:
                await LinkShutdown.DetachAsync(receiver, fault.Reason.ToError(target), context.Clock);
                return true;
            case FaultAction.BlackHole:
                return true;
            case FaultAction.NoCredit:
                receiver.SetPrefetch(0);
                await context.Faults.WaitAsync(fault.Duration, context.Stopping);
                receiver.SetPrefetch(credit);
                return false;
            default:
                return false;
        }
    }

    /// <summary>True when the answer is lost, with or without its connection.</summary>
    public static bool LosesAnswer(this FaultRule? fault, AmqpConnection connection)
    {
        if (fault?.Action != FaultAction.LoseAnswer)
        {
            return false;
        }

        if (fault.AndDrop)
        {
            connection.Abort(null);
        }

        return true;
    }

    /// <summary>The same bytes, but for the last bit: that belongs to the body where there is no footer.</summary>
    public static ReadOnlyMemory<byte> Corrupted(ReadOnlyMemory<byte> bytes)
    {
        var changed = bytes.ToArray();
        if (changed.Length > 0)
        {
            changed[^1] ^= 1;
        }

        return changed;
    }
}
