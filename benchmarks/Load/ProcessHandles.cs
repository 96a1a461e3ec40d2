using System.Diagnostics;

namespace EventHubThroughput.Load;

/// <summary>Open descriptors of a process; elsewhere than on Linux, what the system counts as handles.</summary>
internal static class ProcessHandles
{
    public static int Of(Process process)
    {
        var descriptors = $"/proc/{process.Id}/fd";
        return Directory.Exists(descriptors) ? Directory.GetFileSystemEntries(descriptors).Length : process.HandleCount;
    }
}
