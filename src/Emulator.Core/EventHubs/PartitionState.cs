using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>
/// The state of a partition. One that never had an event has -1 for numbers, "-1" for the offset and 1970 for the time. One whose events have all expired keeps
/// the last number, and begins after it.
/// </summary>
internal readonly record struct PartitionState
{
    private readonly long _first;
    private readonly long _next;

    /// <param name="first">The number of the oldest event, or of the next one when there are none.</param>
    /// <param name="next">The number of the next event.</param>
    /// <param name="bytes">Encoded bytes of the current events.</param>
    /// <param name="lastEnqueuedMilliseconds">When the newest event arrived.</param>
    public PartitionState(long first, long next, long bytes, long lastEnqueuedMilliseconds)
    {
        _first = first;
        _next = next;
        Bytes = bytes;
        LastEnqueuedMilliseconds = lastEnqueuedMilliseconds;
    }

    public long FirstSequence => _next == 0 ? -1 : _first;

    public long LastSequence => _next - 1;

    public string LastOffset => Positions.GetOffset(LastSequence);

    public long LastEnqueuedMilliseconds { get; }

    /// <summary>The number of current events.</summary>
    public long Count => _next - _first;

    public long Bytes { get; }

    public bool IsEmpty => _first == _next;
}
