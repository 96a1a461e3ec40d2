using System.Runtime.InteropServices;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// Sleeps more precisely than the timers of the runtime. On Linux it uses clock_nanosleep and removes the timer slack of the thread (50 microseconds by
/// default). Elsewhere it waits on an event, with the precision of the system.
/// </summary>
internal static partial class PreciseSleep
{
    private const int MonotonicClock = 1;
    private const int SetTimerSlack = 29;

    // Never set: waiting on it is the portable way to release the core for a while.
    private static readonly ManualResetEvent Never = new(false);

    /// <summary>Applies to the calling thread. A refusal reduces only precision.</summary>
    public static void RequestFineTimers()
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

            // A signal ends the sleep early. The caller checks its deadline again in any case.
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
