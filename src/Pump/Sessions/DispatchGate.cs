using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Tracking;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Holds the session back at the window and at the replay limit of one ownership. Waiting for the replay limit makes a checkpoint due,
/// so that what is waited for also happens.
/// </summary>
/// <param name="tracker">Tells what is outstanding.</param>
/// <param name="writer">Tells what is confirmed, and stores what is waited for.</param>
/// <param name="limits">The limits.</param>
/// <param name="signals">Wakes the gate when the low watermark has moved as far as it rests for, or the confirmed position has moved.</param>
internal sealed class DispatchGate(EventTracker tracker, CheckpointWriter writer, DispatchLimits limits, WatermarkSignals signals)
{
    // Used by the session only.
    private bool windowFull;
    private bool replayFull;

    /// <summary>Events handed over that the low watermark has not passed.</summary>
    public int Outstanding => tracker.Outstanding;

    /// <summary>Events handed over that no confirmed checkpoint covers.</summary>
    public long Unconfirmed
    {
        get
        {
            // In this order: what is confirmed in the meantime makes it look larger, never smaller.
            var confirmed = writer.ConfirmedPassed;
            return tracker.HandedOver - confirmed;
        }
    }

    /// <summary>Waits until events may be handed over. Gives how many, at least 1, or 0 when the partition has another owner.</summary>
    /// <exception cref="Clients.MessagingException">The checkpoint that is waited for cannot be stored.</exception>
    public async ValueTask<int> EnterAsync(int wanted, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (replayFull && await writer.FlushAsync(cancellationToken) == FlushResult.OwnershipLost)
            {
                return 0;
            }

            if (RoomFor(wanted) is > 0 and var room)
            {
                return room;
            }

            // Not for each event that the watermark passes, where the load has to fall by several. What has changed since the look is seen by another one, and
            // what changes after that sets the signal.
            var before = signals.Passed;
            signals.RestUntilRoom(replayFull ? before : before + Outstanding - limits.WindowMark);
            if (RoomFor(wanted) is > 0 and var made)
            {
                return made;
            }

            await signals.Room.WaitAsync(cancellationToken);
        }
    }

    /// <summary>How many of the wanted events may be handed over now.</summary>
    public int RoomFor(int wanted)
    {
        var (outstanding, unconfirmed) = (Outstanding, Unconfirmed);
        windowFull = outstanding >= limits.Window || (windowFull && outstanding > limits.WindowMark);
        replayFull = unconfirmed >= limits.Replay || (replayFull && unconfirmed > limits.ReplayMark);
        return windowFull || replayFull ? 0 : (int)Math.Min(wanted, Math.Min(limits.Window - outstanding, limits.Replay - unconfirmed));
    }
}
