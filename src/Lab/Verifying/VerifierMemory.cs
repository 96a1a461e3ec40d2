namespace EventHubThroughput.Lab.Verifying;

/// <summary>
/// Keeps this process small while it judges. Runs are sorted on disk. By default the collector would keep garbage, and exceed what a user expects of a command
/// that reads two files.
/// </summary>
internal static class VerifierMemory
{
    /// <summary>The managed heap in bytes. Code and the runtime's own take less than 80 MiB beside it.</summary>
    private const ulong HeapLimit = 176UL * 1024 * 1024;

    public static void Limit()
    {
        AppContext.SetData("GCHeapHardLimit", HeapLimit);
        GC.RefreshMemoryLimit();
    }
}
