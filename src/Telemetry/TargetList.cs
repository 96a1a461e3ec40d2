using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Telemetry;

/// <summary>An endpoint that Prometheus is to scrape.</summary>
/// <param name="Address">Host and port.</param>
/// <param name="Job">What its series are told apart by.</param>
/// <param name="Path">Where its metrics are.</param>
public sealed record ScrapeTarget(string Address, string Job, string Path = "/metrics")
{
    /// <summary>Labels of all its series beside the job.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);
}

/// <summary>
/// What a process serves to Prometheus, as a file for its discovery (<c>file_sd</c>) in a folder that all processes of this machine share. There while
/// the process lives, so that no target is down for ever. What a killed one has left behind, the next one removes.
/// </summary>
public sealed class TargetList : IDisposable
{
    // Older than any file, and so moved by the first reader on a file system that keeps the time of reading at all.
    private static readonly DateTime Unread = DateTime.UnixEpoch.AddDays(1);

    private readonly string file;
    private bool wasReadBefore;

    private TargetList(string file) => this.file = file;

    /// <summary>Where <c>prometheus.yml</c> looks.</summary>
    public static string UsualFolder => Path.Combine(Path.GetTempPath(), "eventhub-throughput", "targets");

    /// <summary>Whether somebody has read it, who is then likely to scrape soon: between the two, Prometheus lets some seconds pass.</summary>
    public bool WasRead => wasReadBefore || (File.Exists(file) && File.GetLastAccessTimeUtc(file) > Unread);

    /// <summary>The list of this process, empty as yet.</summary>
    /// <exception cref="IOException">The folder cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to somebody else.</exception>
    public static TargetList Create(string folder, string program)
    {
        Directory.CreateDirectory(folder);
        foreach (var left in Directory.EnumerateFiles(folder, "*.json").Where(IsOfNobody))
        {
            File.Delete(left);
        }

        return new TargetList(Path.Combine(folder, $"{program}-{Environment.ProcessId}.json"));
    }

    /// <summary>Replaces what is listed.</summary>
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

    // Named as one of ours, and its process has gone, or has a number that another one had when the file was written.
    private static bool IsOfNobody(string path)
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
