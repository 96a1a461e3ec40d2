using System.Text;

namespace EventHubThroughput.Journal.Files;

/// <summary>
/// A folder that exists as long as its process, for its user only. The process keeps a file in it locked. If the lock is free and the process does not run,
/// it was killed. The next process that creates such a folder removes it.
/// </summary>
public sealed class TemporaryFolder : IDisposable
{
    private const string Prefix = "eht-";
    private const string OwnerFile = "owner";
    private const string Format = "eht-folder 1";
    private const int LongestOwner = 256;
    private const int Tries = 100;

    private static readonly string[] Purposes = ["consumer", "verify", "emulator"];

    private readonly FileStream held;

    private TemporaryFolder(string path, FileStream held)
    {
        Path = path;
        this.held = held;

        // A second signal ends the process without unwinding.
        AppDomain.CurrentDomain.ProcessExit += OnExit;
    }

    /// <summary>The folder's full path.</summary>
    public string Path { get; }

    /// <summary>Creates a folder, and removes those of killed processes.</summary>
    /// <param name="purpose">A word of its name.</param>
    /// <exception cref="IOException">The system's folder for temporary files does not exist or cannot be written. The message names it.</exception>
    public static TemporaryFolder Create(string purpose)
    {
        try
        {
            RemoveAbandoned();
            return Make(purpose);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            var named = OperatingSystem.IsWindows() ? "TMP" : "TMPDIR";
            throw new IOException(
                $"temporary folder {System.IO.Path.GetTempPath()}: cannot be used ({GetReason(exception)}). {named} names another",
                exception
            );
        }
    }

    /// <summary>Removes the folder and its content. May be called twice.</summary>
    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnExit;
        Remove(Path, held);
    }

    private static string GetReason(Exception exception) => Directory.Exists(System.IO.Path.GetTempPath()) ? exception.Message : "it is not a folder";

    private static TemporaryFolder Make(string purpose)
    {
        for (var tries = 0; ; tries++)
        {
            // The runtime guarantees mode 0700.
            var path = Directory.CreateTempSubdirectory($"{Prefix}{purpose}-").FullName;
            FileStream? owner = null;
            try
            {
                owner = new FileStream(System.IO.Path.Combine(path, OwnerFile), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
                owner.Write(Encoding.ASCII.GetBytes($"{Format}\n{ProcessStamp.Own}\n"));
                return new TemporaryFolder(path, owner);
            }
            catch (IOException) when (tries < Tries && !Directory.Exists(path))
            {
                // A cleaning process locked the file before this process did.
                owner?.Dispose();
            }
            catch when (owner is not null)
            {
                // The disk is full: the folder was created, but not its file.
                Remove(path, owner);
                throw;
            }
        }
    }

    private static void RemoveAbandoned()
    {
        foreach (var folder in Directory.EnumerateDirectories(System.IO.Path.GetTempPath(), $"{Prefix}*"))
        {
            try
            {
                if (OpenAbandoned(folder) is { } owner)
                {
                    Remove(folder, owner);
                }
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // In use, owned by another user, or removed in the meantime.
            }
        }
    }

    // The owner's file, locked, of a folder that is certainly ours and abandoned.
    private static FileStream? OpenAbandoned(string folder)
    {
        var file = System.IO.Path.Combine(folder, OwnerFile);
        if (!IsOurs(folder, FileKind.Folder))
        {
            return null;
        }

        if (!IsOurs(file, FileKind.Regular))
        {
            RemoveUnbegun(folder);
            return null;
        }

        var owner = new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
        try
        {
            var text = new byte[LongestOwner];
            var lines = Encoding.ASCII.GetString(text, 0, owner.ReadAtLeast(text, text.Length, throwOnEndOfStream: false)).Split('\n');

            // If the system has no locks, check the process itself.
            if (lines is [Format, var stamp, ""] && !ProcessStamp.IsRunning(stamp))
            {
                return owner;
            }
        }
        catch
        {
            owner.Dispose();
            throw;
        }

        owner.Dispose();
        return null;
    }

    // Of a process that was killed before it locked anything: an empty folder with our prefix. One that is just being created is created again.
    private static void RemoveUnbegun(string folder)
    {
        if (Array.Exists(Purposes, purpose => System.IO.Path.GetFileName(folder).StartsWith($"{Prefix}{purpose}-", StringComparison.Ordinal)))
        {
            Directory.Delete(folder);
        }
    }

    private static bool IsOurs(string path, FileKind kind)
    {
        var status = FileStatus.Of(path, followLink: false);
        return status.Kind == kind && status.Owner == FileStatus.CurrentUser;
    }

    // First it is renamed: children of the killed process may still create files in it. The owner's file is removed last. So if this process is killed in the
    // meantime, the next one still recognises the folder.
    private static void Remove(string folder, FileStream owner)
    {
        try
        {
            if (OperatingSystem.IsWindows())
            {
                // Open files can neither be moved nor deleted there.
                owner.Dispose();
            }

            var removed = $"{folder}.removed";
            Directory.Move(folder, removed);
            foreach (var entry in new DirectoryInfo(removed).EnumerateFileSystemInfos())
            {
                if (entry is DirectoryInfo { LinkTarget: null } inner)
                {
                    inner.Delete(recursive: true);
                }
                else if (entry.Name != OwnerFile)
                {
                    entry.Delete();
                }
            }

            DeleteMoved(removed);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Already removed, or open in another process. The next process tries again.
        }
        finally
        {
            owner.Dispose();
        }
    }

    // No process finds it by its name any more. A file that was being created during the move appears immediately, and only once.
    private static void DeleteMoved(string removed)
    {
        for (var triesLeft = 3; Directory.Exists(removed); triesLeft--)
        {
            try
            {
                Directory.Delete(removed, recursive: true);
            }
            catch (IOException) when (triesLeft > 0)
            {
                // It was not empty any more.
            }
        }
    }

    private void OnExit(object? sender, EventArgs arguments) => Remove(Path, held);
}
