using System.ComponentModel;
using System.Diagnostics;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>What one process has used so far.</summary>
/// <param name="Cpu">User and system processor time of all its threads.</param>
/// <param name="PeakMemoryBytes">Its largest resident memory.</param>
internal readonly record struct ProcessUsage(TimeSpan Cpu, long PeakMemoryBytes)
{
    /// <summary>Its resident memory now.</summary>
    public long MemoryBytes { get; init; }

    /// <summary>How long it had lived by then. Null where it was not measured.</summary>
    public TimeSpan? Lived { get; init; }

    /// <summary>A process of that number. Null when there is none.</summary>
    public static Process? Find(int id)
    {
        try
        {
            return Process.GetProcessById(id);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    /// <summary>The open files and sockets of a process. Null where the system does not report them.</summary>
    public static int? GetHandles(Process process)
    {
        try
        {
            process.Refresh();
            return process.HandleCount is > 0 and var handles ? handles : null;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception or NotSupportedException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads it from the system. Null when the process has ended.</summary>
    public static ProcessUsage? Of(Process process)
    {
        try
        {
            process.Refresh();
            return new ProcessUsage(process.TotalProcessorTime, process.PeakWorkingSet64) { MemoryBytes = process.WorkingSet64 };
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception or NotSupportedException)
        {
            return null;
        }
    }
}

/// <summary>What the runtime of this process has done so far.</summary>
internal readonly record struct RuntimeUsage(long AllocatedBytes, int Gen0, int Gen1, int Gen2, TimeSpan GcPause, long LockContentions)
{
    public static RuntimeUsage Now() =>
        new(
            GC.GetTotalAllocatedBytes(),
            GC.CollectionCount(0),
            GC.CollectionCount(1),
            GC.CollectionCount(2),
            GC.GetTotalPauseDuration(),
            Monitor.LockContentionCount
        );

    public static RuntimeUsage operator -(RuntimeUsage later, RuntimeUsage earlier) =>
        new(
            later.AllocatedBytes - earlier.AllocatedBytes,
            later.Gen0 - earlier.Gen0,
            later.Gen1 - earlier.Gen1,
            later.Gen2 - earlier.Gen2,
            later.GcPause - earlier.GcPause,
            later.LockContentions - earlier.LockContentions
        );
}
