namespace EventHubThroughput.Emulator.Storage;

/// <summary>The memory that logs and queues may hold together. Safe for several threads.</summary>
internal sealed class MemoryBudget(long limitBytes)
{
    /// <summary>What an entry costs beside its bytes, roughly.</summary>
    public const int EntryOverhead = 160;

    private long _used;

    public long LimitBytes { get; } = limitBytes;

    public long UsedBytes => Interlocked.Read(ref _used);

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

    /// <summary>Takes the bytes even beyond the limit, for what was acknowledged before; what comes new waits until it is met again.</summary>
    public void Reserve(long bytes) => Interlocked.Add(ref _used, bytes);

    public void Release(long bytes) => Interlocked.Add(ref _used, -bytes);
}
