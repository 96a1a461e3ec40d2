using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Emulator.Laboratory.Faults;

/// <summary>Carries out what befalls a transfer that has arrived on a sender's link.</summary>
internal static class TransferFaults
{
    /// <summary>True when that is the end of the transfer: it is not stored.</summary>
    public static async ValueTask<bool> EndsAsync(
        this FaultRule fault, AmqpReceiver receiver, IncomingDelivery delivery, FaultTarget target, FaultEngine engine, CancellationToken cancellationToken)
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
                await Endpoints.Farewells.DetachAsync(receiver, fault.Reason.ToError(target), TimeProvider.System);
                return true;
            case FaultAction.BlackHole:
                return true;
            case FaultAction.NoCredit:
                receiver.SetPrefetch(0);
                await engine.WaitAsync(fault.Duration, cancellationToken);
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
