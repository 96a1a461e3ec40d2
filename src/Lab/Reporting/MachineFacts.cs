using System.Globalization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The facts that the system reports of itself in files. Only Linux has these files. On other systems the facts stay unknown.</summary>
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

    /// <summary>The cores of all sockets, from <c>/proc/cpuinfo</c>.</summary>
    public static int? CoresPhysical()
    {
        var (socket, cores) = ("", new HashSet<(string, string)>());
        foreach (var line in Lines("/proc/cpuinfo"))
        {
            var value = line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
            if (line.StartsWith("physical id", StringComparison.Ordinal))
            {
                socket = value;
            }
            else if (line.StartsWith("core id", StringComparison.Ordinal))
            {
                cores.Add((socket, value));
            }
        }

        return cores.Count > 0 ? cores.Count : null;
    }

    /// <summary>The processors that this process may run on, from <c>/proc/self/status</c>.</summary>
    public static int? CoresAllowed() =>
        Lines("/proc/self/status").FirstOrDefault(static line => line.StartsWith("Cpus_allowed_list:", StringComparison.Ordinal)) is { } line
            ? GetCount(line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..])
            : null;

    /// <summary>What keeps this process from some processors.</summary>
    public static LimitMethod? Limit() =>
        (CoresAllowed(), Lines("/sys/devices/system/cpu/online").FirstOrDefault()) switch
        {
            (null, _) or (_, null) => null,
            ({ } allowed, { } online) when allowed < GetCount(online) => LimitMethod.Taskset,
            _ when Lines("/sys/fs/cgroup/cpu.max").FirstOrDefault() is { } share && !share.StartsWith("max", StringComparison.Ordinal) => LimitMethod.Cgroup,
            _ => LimitMethod.None,
        };

    /// <summary>A setting of the garbage collector. Null where it has none.</summary>
    public static long? OfCollector(string name) => GC.GetConfigurationVariables().TryGetValue(name, out var value) && value is long number ? number : null;

    /// <summary>How many a list of numbers and ranges names: 0-3,8 names five.</summary>
    public static int? GetCount(string list)
    {
        var count = 0;
        foreach (var part in list.Trim().Split(','))
        {
            var ends = part.Split('-');
            if (
                !int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
                || !int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
            )
            {
                return null;
            }

            count += last - first + 1;
        }

        return count;
    }

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
