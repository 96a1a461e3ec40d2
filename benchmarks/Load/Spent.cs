namespace EventHubThroughput.Load;

/// <summary>The resources that emulator and clients have used so far, or between two moments.</summary>
/// <param name="Emulator">The emulator's processor time.</param>
/// <param name="Client">This process's processor time, in which the clients run.</param>
/// <param name="ClientBytes">Bytes that this process has allocated.</param>
internal readonly record struct Spent(TimeSpan Emulator, TimeSpan Client, long ClientBytes)
{
    public static Spent By(EmulatorProcess emulator) => new(emulator.ProcessorTime, Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: false));

    public static Spent operator -(Spent later, Spent earlier) =>
        new(later.Emulator - earlier.Emulator, later.Client - earlier.Client, later.ClientBytes - earlier.ClientBytes);
}
