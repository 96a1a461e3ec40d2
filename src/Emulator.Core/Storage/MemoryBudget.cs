using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>The memory budget of logs and queues. Safe for several threads.</summary>
/// <param name="limitBytes">The limit.</param>
/// <param name="spill">The folder for bodies when much of the budget is used. Null keeps all in memory.</param>
/// <param name="spillFrom">
/// The used bytes from which bodies are moved to the disk. Null uses an eighth of the limit, because their places stay in memory.
/// </param>
internal sealed class MemoryBudget(long limitBytes, SpillFolder? spill = null, long? spillFrom = null)
{
    /// <summary>The approximate memory of an entry without its bytes.</summary>
    public const int EntryOverhead = 160;

    private readonly long _spillFrom = spill is null ? long.MaxValue : spillFrom ?? (limitBytes / 8);

    private long _used;

    public long LimitBytes { get; } = limitBytes;

    public long UsedBytes => Interlocked.Read(ref _used);

    /// <summary>Whether bodies are moved to the disk.</summary>
    public bool IsSpilling => UsedBytes >= _spillFrom;

    /// <summary>
    /// Moves bytes to the disk if the budget requires it. Returns null when they stay in memory, because there is room or because the disk has none.
    /// </summary>
    public StoredBytes? TrySpill(ReadOnlySpan<byte> bytes) => IsSpilling && !bytes.IsEmpty ? spill!.TryWrite(bytes) : null;

    /// <summary>Reserves the bytes, or none if they do not fit.</summary>
    public bool TryReserve(long bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= LimitBytes)
        {
            return true;
        }

        Release(bytes);
        return false;
    }

    /// <summary>Reserves bytes even beyond the limit, for acknowledged data. New data waits until the limit is met again.</summary>
    public void Reserve(long bytes) => Interlocked.Add(ref _used, bytes);

    public void Release(long bytes) => Interlocked.Add(ref _used, -bytes);
}
