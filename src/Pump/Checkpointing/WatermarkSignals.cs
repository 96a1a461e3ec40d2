using EventHubThroughput.Pump.Tracking;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>
/// Wakes what waits for the low watermark to move: the hand-over, and the checkpoint schedule. The schedule rests until a count of passed events or a
/// position is reached, so that it is not woken by every event. It rests on one thread, and the tracker notifies on another: a demand that is met while
/// it is being made is noticed by one of them.
/// </summary>
internal sealed class WatermarkSignals : PartitionObserver
{
    private long passed;
    private long watermark = -1;
    private long wantedPassed = 1;
    private long wantedWatermark = long.MaxValue;
    private long wantedForRoom;

    /// <summary>For the gate before the strategy.</summary>
    public WakeSignal Room { get; } = new();

    /// <summary>For the checkpoint schedule.</summary>
    public WakeSignal Checkpoint { get; } = new();

    /// <inheritdoc/>
    public override void Completed(in EventCompletion completion)
    {
        if (completion.Passed == 0)
        {
            return;
        }

        Interlocked.Exchange(ref watermark, completion.Watermark);
        var now = Interlocked.Add(ref passed, completion.Passed);
        if (now >= Interlocked.Read(ref wantedForRoom))
        {
            Room.Set();
        }

        if (now >= Interlocked.Read(ref wantedPassed) || completion.Watermark >= Interlocked.Read(ref wantedWatermark))
        {
            Checkpoint.Set();
        }
    }

    /// <summary>How many events the watermark has passed by completion.</summary>
    public long Passed => Interlocked.Read(ref passed);

    /// <summary>Sets <see cref="Room"/> when the watermark has passed this many events in all, and not before. A confirmed checkpoint sets it in any case.</summary>
    public void RestUntilRoom(long events) => Interlocked.Exchange(ref wantedForRoom, events);

    /// <summary>Says what the schedule rests for. False when it is reached already.</summary>
    /// <param name="events">How many events the watermark has to have passed in all.</param>
    /// <param name="position">Or the sequence number that it has to reach.</param>
    public bool RestUntil(long events, long position)
    {
        Interlocked.Exchange(ref wantedPassed, events);
        Interlocked.Exchange(ref wantedWatermark, position);
        return Interlocked.Read(ref passed) < events && Interlocked.Read(ref watermark) < position;
    }
}
