namespace EventHubThroughput.Processing.Checkpointing;

/// <summary>
/// What the checkpoint schedule rests for, so that it is not woken by every event: a count of passed events, or a position. One rests, and
/// one tells, who may be different threads: a demand that is met while it is being made is noticed by one of them.
/// </summary>
internal sealed class CheckpointDemand
{
    private long passed;
    private long watermark = -1;
    private long wantedPassed = 1;
    private long wantedWatermark = long.MaxValue;

    /// <summary>Takes note that the watermark has moved; true when whoever rests is to be woken.</summary>
    /// <param name="events">How many events it has passed with that.</param>
    /// <param name="position">The sequence number that it stands at.</param>
    public bool IsMetBy(int events, long position)
    {
        Interlocked.Exchange(ref watermark, position);
        return Interlocked.Add(ref passed, events) >= Interlocked.Read(ref wantedPassed) || position >= Interlocked.Read(ref wantedWatermark);
    }

    /// <summary>Makes a demand; false when it is met already.</summary>
    /// <param name="events">How many events the watermark has to have passed in all.</param>
    /// <param name="position">Or the sequence number that it has to reach.</param>
    public bool RestUntil(long events, long position)
    {
        Interlocked.Exchange(ref wantedPassed, events);
        Interlocked.Exchange(ref wantedWatermark, position);
        return Interlocked.Read(ref passed) < events && Interlocked.Read(ref watermark) < position;
    }
}
