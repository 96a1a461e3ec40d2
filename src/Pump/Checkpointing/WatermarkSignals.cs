using EventHubThroughput.Pump.Tracking;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>
/// Wakes what waits for the low watermark to move: the dispatch gate and the checkpoint schedule. The schedule waits for a count of passed events or a
/// position, so that not every event wakes it. It sets the demand on one thread, and the tracker notifies on another: one of the two notices a demand that is
/// met while it is being set.
/// </summary>
internal sealed class WatermarkSignals : PartitionObserver
{
    private long passed;
    private long watermark = -1;
    private long wantedPassed = 1;
    private long wantedWatermark = long.MaxValue;
    private long wantedForRoom;

    /// <summary>Wakes the gate before the strategy.</summary>
    public WakeSignal Room { get; } = new();

    /// <summary>Wakes the checkpoint schedule.</summary>
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

    /// <summary>
    /// Sets <see cref="Room"/> when the watermark has passed this many events in all, and not before. A confirmed checkpoint sets it in any case.
    /// </summary>
    public void RestUntilRoom(long events) => Interlocked.Exchange(ref wantedForRoom, events);

    /// <summary>Sets what the schedule waits for. False when it is reached already.</summary>
    /// <param name="events">The number of events in all that the watermark must pass.</param>
    /// <param name="position">Or the sequence number that it must reach.</param>
    public bool RestUntil(long events, long position)
    {
        Interlocked.Exchange(ref wantedPassed, events);
        Interlocked.Exchange(ref wantedWatermark, position);
        return Interlocked.Read(ref passed) < events && Interlocked.Read(ref watermark) < position;
    }
}
