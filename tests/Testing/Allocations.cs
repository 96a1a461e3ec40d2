namespace EventHubThroughput.Testing;

/// <summary>What code allocates. A collection, which any other test may cause, charges a thread with the rest of the block that it was allocating from.</summary>
public static class Allocations
{
    private const int Tries = 10;

    /// <summary>The least that this thread has allocated in one of ten rounds of the same work, in bytes: what always allocates never shows nothing.</summary>
    public static long GetMinimum(Action work)
    {
        var least = long.MaxValue;
        for (var round = 0; round < Tries && least > 0; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
