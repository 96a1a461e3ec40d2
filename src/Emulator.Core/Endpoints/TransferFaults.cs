using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Applies faults to a transfer that has arrived on the link of a sender.</summary>
internal static class TransferFaults
{
    /// <summary>Returns true when the fault ends the transfer, which is then not stored.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="receiver">The link.</param>
    /// <param name="delivery">The transfer.</param>
    /// <param name="target">The target of the transfer.</param>
    /// <param name="credit">The normal credit of the link.</param>
    /// <param name="context">The context of the service.</param>
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

    /// <summary>Returns true when the answer is lost, with or without its connection.</summary>
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

    /// <summary>A copy of the bytes with a changed last bit. Without a footer, that bit belongs to the body.</summary>
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
