using System.Diagnostics;

namespace EventHubThroughput.Load;

/// <summary>The open descriptors of a process. On systems other than Linux, the handles that the system counts.</summary>
internal static class ProcessHandles
{
    public static int Of(Process process)
    {
        var descriptors = $"/proc/{process.Id}/fd";
        return Directory.Exists(descriptors) ? Directory.GetFileSystemEntries(descriptors).Length : process.HandleCount;
    }
}
