using System.Globalization;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>
/// Starts a process with fewer processors and less memory than the machine has, without a container: taskset for the processors, which the runtime
/// counts as its own, a hard limit of the heap, and a guard over what is resident.
/// </summary>
internal static class LimitedProcess
{
    /// <summary>The method of the limits, for the result.</summary>
    public const string Method = "taskset, heap hard limit, resident memory guarded";

    private const string Taskset = "taskset";
    private static readonly TimeSpan GuardInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Whether this system can limit processors.</summary>
    /// <param name="path">The folders in which programs are looked up, as the variable PATH has them.</param>
    public static bool HasTaskset(string? path) =>
        OperatingSystem.IsLinux()
        && (path ?? "").Split(Path.PathSeparator).Any(static folder => folder.Length > 0 && File.Exists(Path.Combine(folder, Taskset)));

    /// <summary>The command that runs another one within the limits.</summary>
    /// <param name="command">What is to run.</param>
    /// <param name="point">The limits.</param>
    public static ProcessCommand Within(ProcessCommand command, MessagePoint point) =>
        command with
        {
            File = Taskset,
            Arguments = ["-c", string.Join(',', Enumerable.Range(0, point.Cores)), command.File, .. command.Arguments],
            Name = command.Name,
            Variables = new Dictionary<string, string>(command.Variables, StringComparer.Ordinal)
            {
                // The runtime reads it as hexadecimal.
                ["DOTNET_GCHeapHardLimit"] = point.HeapBytes.ToString("X", CultureInfo.InvariantCulture),
                ["DOTNET_gcServer"] = "0",
            },
        };

    /// <summary>Ends the process when it is larger than it may be.</summary>
    /// <returns>Whether that happened, when the process has ended.</returns>
    public static async Task<bool> GuardAsync(RunningProcess process, long limit, TimeProvider clock)
    {
        using var timer = new PeriodicTimer(GuardInterval, clock);
        while (!process.HasEnded)
        {
            if (ResidentBytes(process) > limit)
            {
                await process.EndByForceAsync();
                return true;
            }

            await Task.WhenAny(process.Ended, timer.WaitForNextTickAsync(CancellationToken.None).AsTask());
        }

        return false;
    }

    private static long ResidentBytes(RunningProcess process)
    {
        try
        {
            process.Process.Refresh();
            return process.Process.WorkingSet64;
        }
        catch (InvalidOperationException)
        {
            // It has just ended.
            return 0;
        }
    }
}
