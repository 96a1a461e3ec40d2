using System.Runtime.InteropServices;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// Sleeps below the grain of the runtime's timers: clock_nanosleep on Linux, with the thread's timer slack (50 microseconds by
/// default) taken away. Elsewhere a wait on an event, which is as fine as the system makes it.
/// </summary>
internal static partial class PreciseSleep
{
    private const int MonotonicClock = 1;
    private const int SetTimerSlack = 29;

    // Never set: waiting on it is the portable way to give the core away for a while.
    private static readonly ManualResetEvent Never = new(false);

    /// <summary>For the calling thread. A refusal costs only precision.</summary>
    public static void AskForFineTimers()
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Control(SetTimerSlack, 1_000, 0, 0, 0);
        }
    }

    public static void For(TimeSpan duration)
    {
        if (OperatingSystem.IsLinux())
        {
            var request = new TimeSpec
            {
                Seconds = (nint)(duration.Ticks / TimeSpan.TicksPerSecond),
                Nanoseconds = (nint)(duration.Ticks % TimeSpan.TicksPerSecond * 100),
            };

            // Cut short by a signal it returns early. The caller looks at its deadline again anyway.
            _ = ClockNanosleep(MonotonicClock, 0, in request, 0);
        }
        else
        {
            Never.WaitOne(duration);
        }
    }

    [LibraryImport("libc", EntryPoint = "clock_nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ClockNanosleep(int clock, int flags, in TimeSpec request, nint remaining);

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(int option, nuint argument2, nuint argument3, nuint argument4, nuint argument5);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
