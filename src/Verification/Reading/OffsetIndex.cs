using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// Finds the event of an offset, for checkpoints that were stored without a sequence number. Those are rare and offsets are opaque, so only requested offsets
/// are kept. The journal is read a second time once they are known.
/// </summary>
internal sealed class OffsetIndex
{
    private readonly HashSet<ulong> wanted = [];
    private readonly Dictionary<ulong, long> found = [];

    /// <summary>Whether an offset was requested that was not kept.</summary>
    public bool NeedsAnotherReading { get; private set; }

    public void BeginReading()
    {
        NeedsAnotherReading = false;
        found.Clear();
    }

    public void Note(PartitionTrack partition, ReadOnlySpan<byte> offset, long sequence)
    {
        if (wanted.Count > 0 && GetKey(partition, offset) is var key && wanted.Contains(key))
        {
            found[key] = sequence;
        }
    }

    /// <summary>The event's sequence number. Null when there was none by now, or it is not known in this reading.</summary>
    public long? GetSequence(PartitionTrack partition, ReadOnlySpan<byte> offset)
    {
        var key = GetKey(partition, offset);
        NeedsAnotherReading |= wanted.Add(key);
        return found.TryGetValue(key, out var sequence) ? sequence : null;
    }

    private static ulong GetKey(PartitionTrack partition, ReadOnlySpan<byte> offset) => TextHash.Combine((ulong)partition.Number, TextHash.Of(offset));
}
