using System.Globalization;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>What the system tells of itself in files; other systems than Linux tell it otherwise, and it stays unknown there.</summary>
internal static class MachineFacts
{
    /// <summary>The processor's model, from <c>/proc/cpuinfo</c>.</summary>
    public static string? CpuModel() =>
        Lines("/proc/cpuinfo")
            .Where(static line => line.StartsWith("model name", StringComparison.Ordinal))
            .Select(static line => line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim())
            .FirstOrDefault();

    /// <summary>The load average of one minute, from <c>/proc/loadavg</c>.</summary>
    public static double? LoadAverage() =>
        Lines("/proc/loadavg").FirstOrDefault() is { } line
        && double.TryParse(line.Split(' ')[0], NumberStyles.Float, CultureInfo.InvariantCulture, out var load)
            ? load
            : null;

    private static string[] Lines(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllLines(path) : [];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
