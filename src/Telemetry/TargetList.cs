using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Telemetry;

/// <summary>An endpoint that Prometheus is to scrape.</summary>
/// <param name="Address">Host and port.</param>
/// <param name="Job">The label that distinguishes its series.</param>
/// <param name="Path">The path of its metrics.</param>
public sealed record ScrapeTarget(string Address, string Job, string Path = "/metrics")
{
    /// <summary>Labels of all its series, in addition to the job.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);
}

/// <summary>
/// The targets of a process, as a file for the discovery of Prometheus (<c>file_sd</c>) in a folder that all processes of this machine share. It exists while
/// the process runs, so that no target is down for ever. The next process removes the file of a killed one.
/// </summary>
public sealed class TargetList : IDisposable
{
    // Older than any file. So the first read changes it on any file system that records the time of access.
    private static readonly DateTime Unread = DateTime.UnixEpoch.AddDays(1);

    private readonly string file;
    private bool wasReadBefore;

    private TargetList(string file) => this.file = file;

    /// <summary>The folder in the configuration that <c>consumer metrics --print-config</c> prints, on Linux that of <c>prometheus.yml</c>.</summary>
    public static string UsualFolder => Path.Combine(Path.GetTempPath(), "eventhub-throughput", "targets");

    /// <summary>Whether a process has read it. It will probably scrape soon: Prometheus waits some seconds between the two.</summary>
    public bool WasRead => wasReadBefore || (File.Exists(file) && File.GetLastAccessTimeUtc(file) > Unread);

    /// <summary>Creates the list of this process, empty at first.</summary>
    /// <exception cref="IOException">The folder cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user.</exception>
    public static TargetList Create(string folder, string program)
    {
        Directory.CreateDirectory(folder);
        foreach (var left in Directory.EnumerateFiles(folder, "*.json").Where(HasNoProcess))
        {
            File.Delete(left);
        }

        return new TargetList(Path.Combine(folder, $"{program}-{Environment.ProcessId}.json"));
    }

    /// <summary>Replaces the listed targets.</summary>
    public void Write(params IReadOnlyList<ScrapeTarget> targets)
    {
        wasReadBefore = WasRead;
        var beside = $"{file}.tmp";
        File.WriteAllBytes(beside, JsonSerializer.SerializeToUtf8Bytes(targets.Select(Entry)));
        File.SetLastAccessTimeUtc(beside, Unread);
        File.Move(beside, file, overwrite: true);
    }

    public void Dispose()
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The next process removes it.
        }
    }

    private static Dictionary<string, object> Entry(ScrapeTarget target) =>
        new(StringComparer.Ordinal)
        {
            ["targets"] = new[] { target.Address },
            ["labels"] = new Dictionary<string, string>(target.Labels, StringComparer.Ordinal) { ["job"] = target.Job, ["__metrics_path__"] = target.Path },
        };

    // It has a name of ours, and its process does not run, or its number was reused after the file was written.
    private static bool HasNoProcess(string path)
    {
        var name = Path.GetFileNameWithoutExtension(path);
        if (!int.TryParse(name[(name.LastIndexOf('-') + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var id))
        {
            return false;
        }

        try
        {
            using var process = Process.GetProcessById(id);
            return process.StartTime.ToUniversalTime() > File.GetLastWriteTimeUtc(path).AddSeconds(1);
        }
        catch (ArgumentException)
        {
            return true;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception or NotSupportedException)
        {
            return false;
        }
    }
}
