using System.Threading.Channels;
using EventHubThroughput.Consumer.Checkpointing;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>
/// Holds the pump back at the window and at the replay limit of one ownership. Waiting for the replay limit makes a checkpoint due,
/// so that what is waited for also happens.
/// </summary>
internal sealed class DispatchGate(LowWatermark watermark, CheckpointWriter writer, DispatchLimits limits)
{
    private readonly Channel<bool> changed = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true }
    );

    // Written by the pump, read by whoever completes events.
    private volatile bool waiting;

    // Used by the pump only.
    private bool windowFull;
    private bool replayFull;

    /// <summary>Watermark or confirmed position have moved. Cheap while nobody waits: called for every completion.</summary>
    public void Changed()
    {
        if (waiting)
        {
            changed.Writer.TryWrite(true);
        }
    }

    /// <summary>Waits until events may be handed over; gives how many, at least 1, or 0 when the partition has another owner.</summary>
    /// <exception cref="Clients.MessagingException">The checkpoint that is waited for cannot be stored.</exception>
    public async ValueTask<int> EnterAsync(int wanted, CancellationToken cancellationToken)
    {
        if (RoomFor(wanted) is > 0 and var free)
        {
            return free;
        }

        waiting = true;
        try
        {
            while (true)
            {
                if (replayFull && await writer.FlushAsync(cancellationToken) == FlushResult.OwnershipLost)
                {
                    return 0;
                }

                // Looked at after waiting was announced: a change since then has left its mark in the channel.
                if (RoomFor(wanted) is > 0 and var room)
                {
                    return room;
                }

                await changed.Reader.WaitToReadAsync(cancellationToken);
                changed.Reader.TryRead(out _);
            }
        }
        finally
        {
            waiting = false;
        }
    }

    private int RoomFor(int wanted)
    {
        var load = DispatchLoad.Of(watermark, writer);
        windowFull = load.Outstanding >= limits.Window || (windowFull && load.Outstanding > limits.WindowMark);
        replayFull = load.Unconfirmed >= limits.Replay || (replayFull && load.Unconfirmed > limits.ReplayMark);
        return windowFull || replayFull ? 0 : (int)Math.Min(wanted, Math.Min(limits.Window - load.Outstanding, limits.Replay - load.Unconfirmed));
    }
}

/// <summary>What was handed over and is not done with.</summary>
/// <param name="Outstanding">Events that the low watermark has not passed.</param>
/// <param name="Unconfirmed">Events that no confirmed checkpoint covers.</param>
internal readonly record struct DispatchLoad(int Outstanding, long Unconfirmed)
{
    public static DispatchLoad Of(LowWatermark watermark, CheckpointWriter writer)
    {
        // In this order: what is confirmed meanwhile makes the load look larger, never smaller.
        var confirmed = writer.ConfirmedPassed;
        var (outstanding, passed) = watermark.Load();
        return new DispatchLoad(outstanding, outstanding + passed - confirmed);
    }
}
