using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>The memory that logs and queues may hold together. Safe for several threads.</summary>
/// <param name="limitBytes">How much that is.</param>
/// <param name="spill">Where bodies go when a good part of it is taken. Null keeps all in memory.</param>
/// <param name="spillFrom">From how many bytes on. Null stands for an eighth of the limit, since what says where they lie stays in memory.</param>
internal sealed class MemoryBudget(long limitBytes, SpillFolder? spill = null, long? spillFrom = null)
{
    /// <summary>What an entry costs beside its bytes, roughly.</summary>
    public const int EntryOverhead = 160;

    private readonly long _spillFrom = spill is null ? long.MaxValue : spillFrom ?? (limitBytes / 8);

    private long _used;

    public long LimitBytes { get; } = limitBytes;

    public long UsedBytes => Interlocked.Read(ref _used);

    /// <summary>Whether bodies leave memory from now on.</summary>
    public bool IsSpilling => UsedBytes >= _spillFrom;

    /// <summary>Puts bytes to the disk when it is time for that. Null when they stay in memory, because there is room or because the disk has none.</summary>
    public StoredBytes? TrySpill(ReadOnlySpan<byte> bytes) => IsSpilling && !bytes.IsEmpty ? spill!.TryWrite(bytes) : null;

    /// <summary>Takes the bytes, or nothing when they do not fit.</summary>
    public bool TryReserve(long bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= LimitBytes)
        {
            return true;
        }

        Release(bytes);
        return false;
    }

    /// <summary>Takes the bytes even beyond the limit, for what was acknowledged before. What comes new waits until it is met again.</summary>
    public void Reserve(long bytes) => Interlocked.Add(ref _used, bytes);

    public void Release(long bytes) => Interlocked.Add(ref _used, -bytes);
}
