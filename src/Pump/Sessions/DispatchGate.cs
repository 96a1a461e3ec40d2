using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Tracking;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Delays the session at the window and at the replay limit of one ownership. At the replay limit it requests the checkpoint that it waits for.
/// </summary>
/// <param name="tracker">Has the number of outstanding events.</param>
/// <param name="writer">Has the confirmed position, and stores the requested checkpoints.</param>
/// <param name="limits">The limits.</param>
/// <param name="signals">Wakes the gate when the low watermark has moved as far as requested, or the confirmed position has moved.</param>
internal sealed class DispatchGate(EventTracker tracker, CheckpointWriter writer, DispatchLimits limits, WatermarkSignals signals)
{
    // Used only by the session.
    private bool windowFull;
    private bool replayFull;

    /// <summary>Events handed over that the low watermark has not passed.</summary>
    public int Outstanding => tracker.Outstanding;

    /// <summary>Events handed over that no confirmed checkpoint covers.</summary>
    public long Unconfirmed
    {
        get
        {
            // In this order: a concurrent confirmation makes the result larger, never smaller.
            var confirmed = writer.ConfirmedPassed;
            return tracker.HandedOver - confirmed;
        }
    }

    /// <summary>Waits until events may be handed over. Returns how many, at least 1, or 0 when the partition has another owner.</summary>
    /// <exception cref="Clients.MessagingException">The checkpoint that it waits for cannot be stored.</exception>
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

            // Not for each event that the watermark passes if the load must fall by several. The second check covers changes since the first, and later
            // changes set the signal.
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
