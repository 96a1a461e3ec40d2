using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// The folder of an emulator that stores its data: a file that names the format, a lock against a second emulator, and one log per entity in a folder per kind.
/// Only the owner can read its files and folders.
/// </summary>
internal sealed class DataDirectory : IDisposable
{
    public const int Version = 2;

    private const string FormatName = "eht-emulator-data";
    private const string FormatFile = "format.json";

    private readonly Lock _gate = new();
    private readonly FileStream _lock;
    private readonly SyncPolicy _policy;
    private readonly ITimer _synchroniser;

    // Guarded by the gate.
    private readonly Dictionary<string, EntityLog> _logs = new(StringComparer.Ordinal);
    private readonly List<string> _recovered = [];

    private DataDirectory(string path, SyncPolicy policy, FileStream held, TimeProvider clock, ILogger log)
    {
        Log = log;
        Path = path;
        _policy = policy;
        _lock = held;
        var period = policy == SyncPolicy.Second ? TimeSpan.FromSeconds(1) : Timeout.InfiniteTimeSpan;
        _synchroniser = clock.CreateTimer(static state => ((DataDirectory)state!).Synchronise(), this, period, period);
    }

    public string Path { get; }

    public ILogger Log { get; }

    /// <summary>Logs that ended in the middle of a record and were cut there, one sentence each.</summary>
    public IReadOnlyList<string> Recovered
    {
        get
        {
            lock (_gate)
            {
                return [.. _recovered];
            }
        }
    }

    /// <summary>Opens the folder, or creates it.</summary>
    /// <exception cref="EmulatorException">The folder is not writable, has another format or version, or is in use by another emulator.</exception>
    public static DataDirectory Open(string path, SyncPolicy policy, TimeProvider clock, ILogger? log = null)
    {
        path = System.IO.Path.GetFullPath(path);
        FileStream held;
        try
        {
            MakeFolder(path);
            FolderContent.Check(path);
            held = new FileStream(System.IO.Path.Combine(path, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw Problem(EmulatorErrorKind.NotWritable, path, "cannot be written", exception);
        }
        catch (IOException exception)
        {
            throw File.Exists(path)
                ? Problem(EmulatorErrorKind.InvalidInput, path, "is a file, name a folder", exception)
                : Problem(EmulatorErrorKind.InvalidInput, path, $"in use by another emulator, or not usable ({exception.Message})", exception);
        }

        try
        {
            CheckFormat(path);
            return new DataDirectory(path, policy, held, clock, log ?? NullLogger.Instance);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            held.Dispose();
            throw Problem(EmulatorErrorKind.NotWritable, path, $"cannot be written ({exception.Message})", exception);
        }
        catch
        {
            held.Dispose();
            throw;
        }
    }

    /// <summary>The path of a file that does not belong to an entity: the key, the ports.</summary>
    public string GetFile(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Writes a file that does not belong to an entity, completely or not at all.</summary>
    /// <exception cref="EmulatorException">The file cannot be written. The old one is unchanged.</exception>
    public void WriteFile(string name, ReadOnlySpan<byte> content)
    {
        var path = GetFile(name);
        try
        {
            WholeFile.Write(path, content);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Problem(EmulatorErrorKind.NotWritable, path, $"cannot be written ({exception.Message})", exception);
        }
    }

    /// <summary>Opens the log of an entity and passes its records to <paramref name="replay"/>.</summary>
    /// <param name="kind">The folder: hubs, queues, subscriptions, containers.</param>
    /// <param name="name">Unique in its kind, ignoring case. Letters, digits and punctuation of entity names.</param>
    /// <param name="replay">Called for each record.</param>
    /// <param name="complete">Called after the last record. See <see cref="EntityLog.Open"/>.</param>
    /// <exception cref="EmulatorException">The log is damaged or cannot be read.</exception>
    public EntityLog OpenLog(string kind, string name, Action<LogRecord> replay, Action<long>? complete = null)
    {
        var path = GetPath(kind, name);
        lock (_gate)
        {
            try
            {
                MakeFolder(System.IO.Path.GetDirectoryName(path)!);
                LogName.Keep(path, name);
                var log = EntityLog.Open(path, _policy, replay, out var torn, complete, Log);
                _logs.Add(path, log);
                if (torn > 0)
                {
                    _recovered.Add($"{path}: {torn} bytes of an unfinished record at the end were cut off");
                }

                return log;
            }
            catch (DamagedLogException exception)
            {
                throw new EmulatorException(EmulatorErrorKind.InconsistentData, exception.Message, exception);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                throw new EmulatorException(EmulatorErrorKind.NotWritable, $"{path}: cannot be opened ({exception.Message})", exception);
            }
        }
    }

    /// <summary>The names of the logs of a kind in the folder, in lower case and ordinal order.</summary>
    /// <exception cref="EmulatorException">A file name is not the name of a log.</exception>
    public IReadOnlyList<string> GetNames(string kind)
    {
        var folder = System.IO.Path.Combine(Path, kind);
        return Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, "*" + LogName.Extension).Select(GetName).Order(StringComparer.Ordinal)] : [];
    }

    /// <summary>Refuses a log that describes a different entity than its file name, such as a copy of another log.</summary>
    /// <exception cref="EmulatorException">The names differ.</exception>
    public void ExpectNamed(string kind, string name, string described)
    {
        if (!string.Equals(name, described, StringComparison.OrdinalIgnoreCase))
        {
            throw new EmulatorException(EmulatorErrorKind.InconsistentData, $"{GetPath(kind, name)}: describes '{described}' under the name of another entity");
        }
    }

    /// <summary>Closes the log of an entity. Forces it to the disk, unless the policy leaves that to the operating system. It can be opened again.</summary>
    public void CloseLog(string kind, string name)
    {
        lock (_gate)
        {
            if (_logs.Remove(GetPath(kind, name), out var log))
            {
                Close(log);
            }
        }
    }

    /// <summary>Closes the log of an entity and deletes its file.</summary>
    public void DeleteLog(string kind, string name)
    {
        var path = GetPath(kind, name);
        lock (_gate)
        {
            if (_logs.Remove(path, out var log))
            {
                log.Dispose();
            }

            File.Delete(path);
            LogName.Forget(path);
        }
    }

    public void Dispose()
    {
        _synchroniser.Dispose();
        lock (_gate)
        {
            foreach (var log in _logs.Values)
            {
                Close(log);
            }

            _logs.Clear();
        }

        _lock.Dispose();
    }

    private static void Close(EntityLog log)
    {
        try
        {
            log.Synchronise();
        }
        finally
        {
            log.Dispose();
        }
    }

    // A log is opened by the name of its entity. Under another name it would never be found, and an empty log would replace it.
    private static string GetName(string file)
    {
        var name = LogName.GetName(file);
        return LogName.GetFile(System.IO.Path.GetDirectoryName(file)!, name) == file
            ? name
            : throw new EmulatorException(EmulatorErrorKind.InconsistentData, $"{file}: not named as an emulator names the log of an entity");
    }

    private string GetPath(string kind, string name) => LogName.GetFile(System.IO.Path.Combine(Path, kind), name);

    private void Synchronise()
    {
        EntityLog[] logs;
        lock (_gate)
        {
            logs = [.. _logs.Values];
        }

        foreach (var log in logs)
        {
            try
            {
                log.Synchronise();
            }
            catch (Exception exception) when (exception is IOException or ObjectDisposedException)
            {
                // The file was deleted in the meantime, or the disk refuses. The next append reports it to its client.
            }
        }
    }

    private static void CheckFormat(string path)
    {
        var file = System.IO.Path.Combine(path, FormatFile);
        if (!File.Exists(file))
        {
            if (
                Directory
                    .EnumerateFileSystemEntries(path)
                    .Any(static entry => System.IO.Path.GetFileName(entry) is not ("lock" or FormatFile + WholeFile.TemporarySuffix))
            )
            {
                throw Problem(EmulatorErrorKind.InvalidInput, path, "has other files, name an empty folder or one that an emulator made");
            }

            WholeFile.Write(file, Encoding.UTF8.GetBytes($"{{\"format\":\"{FormatName}\",\"version\":{Version}}}\n"));
            return;
        }

        if (GetVersion(file) is not { } version)
        {
            throw Problem(EmulatorErrorKind.InvalidInput, path, $"{FormatFile} is not of an emulator's data");
        }

        if (version != Version)
        {
            throw Problem(
                EmulatorErrorKind.InvalidInput,
                path,
                $"version {version} is {(version > Version ? "newer" : "older")} than this program ({Version})"
            );
        }
    }

    private static EmulatorException Problem(EmulatorErrorKind kind, string path, string problem, Exception? cause = null) =>
        new(kind, EmulatorSetting.DataPath, path, problem, cause);

    private static int? GetVersion(string file)
    {
        try
        {
            using var json = JsonDocument.Parse(File.ReadAllText(file));
            return
                json.RootElement.ValueKind == JsonValueKind.Object
                && json.RootElement.TryGetProperty("format", out var format)
                && format.ValueKind == JsonValueKind.String
                && format.GetString() == FormatName
                && json.RootElement.TryGetProperty("version", out var version)
                && version.TryGetInt32(out var number)
                ? number
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static void MakeFolder(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }
}
