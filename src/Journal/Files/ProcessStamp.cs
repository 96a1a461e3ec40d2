using System.Globalization;

namespace EventHubThroughput.Journal.Files;

/// <summary>A unique identity of a process: its number, and when the system started it.</summary>
internal static class ProcessStamp
{
    private const int StartField = 19;

    /// <summary>The stamp of this process, in one line.</summary>
    public static string Own { get; } = Of(Environment.ProcessId) ?? string.Empty;

    /// <summary>Whether the process that wrote the stamp still runs. An unreadable stamp counts as running.</summary>
    public static bool IsRunning(string stamp) =>
        stamp.Split(' ') is not [var number, _, _] || !int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var id) || Of(id) == stamp;

    // Its number, its start in ticks since the machine's, and which start of the machine that was. Null when there is none.
    private static string? Of(int id)
    {
        if (!OperatingSystem.IsLinux())
        {
            return OfOtherSystem(id);
        }

        try
        {
            // The name of the program is in brackets and may have any characters.
            var status = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/stat"));
            var start = status[(status.LastIndexOf(')') + 2)..].Split(' ')[StartField];
            return string.Create(CultureInfo.InvariantCulture, $"{id} {start} {File.ReadAllText("/proc/sys/kernel/random/boot_id").Trim()}");
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    private static string? OfOtherSystem(int id)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(id);
            return string.Create(CultureInfo.InvariantCulture, $"{id} {process.StartTime.ToUniversalTime().Ticks} -");
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            return null;
        }
    }
}
