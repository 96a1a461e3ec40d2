namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Counts the bytes that are held and refuses those beyond the limit.</summary>
internal sealed class MemoryBudget(long limit)
{
    private long used;

    public long Used => Interlocked.Read(ref used);

    public bool TryReserve(long bytes)
    {
        if (Interlocked.Add(ref used, bytes) <= limit)
        {
            return true;
        }

        Interlocked.Add(ref used, -bytes);
        return false;
    }

    public void Release(long bytes) => Interlocked.Add(ref used, -bytes);
}
