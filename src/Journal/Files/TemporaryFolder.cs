using System.Text;

namespace EventHubThroughput.Journal.Files;

/// <summary>
/// A folder that lives as long as its process, for its user only. The process holds a file in it; where that is held no more and
/// its process is gone, it was killed, and the next one that makes such a folder removes it.
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

    /// <summary>Makes a folder, and removes those of killed processes.</summary>
    /// <param name="purpose">A word of its name.</param>
    /// <exception cref="IOException">The system's folder for temporary files is not there or cannot be written; the message names it.</exception>
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
            throw new IOException($"temporary folder {System.IO.Path.GetTempPath()}: cannot be used ({ReasonOf(exception)}). {named} names another", exception);
        }
    }

    /// <summary>Removes the folder with all that is in it; may be called twice.</summary>
    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnExit;
        Remove(Path, held);
    }

    private static string ReasonOf(Exception exception) => Directory.Exists(System.IO.Path.GetTempPath()) ? exception.Message : "it is not a folder";

    private static TemporaryFolder Make(string purpose)
    {
        for (var tries = 0; ; tries++)
        {
            // Mode 0700 by the runtime's own promise.
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
                // Somebody who tidied up held the file before this process did.
                owner?.Dispose();
            }
            catch when (owner is not null)
            {
                // A full disk takes the folder and not what is to be in it.
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
                // In use, somebody else's, or gone meanwhile.
            }
        }
    }

    // The owner's file, held, of a folder that is certainly ours and nobody's any more.
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

            // Where the system knows no locks the process itself is asked for.
            if (lines is [Format, var stamp, ""] && !ProcessStamp.Lives(stamp))
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

    // Of a process that was killed before it held anything: a folder of our names that is empty. One that is just being made is made anew.
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

    // Under a name of its own first: what a killed process had started may still make files in it. The owner's file goes last, so that
    // whoever is killed meanwhile leaves a folder that the next one knows.
    private static void Remove(string folder, FileStream owner)
    {
        try
        {
            if (OperatingSystem.IsWindows())
            {
                // What is open can neither be moved nor deleted there.
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
            // Gone already, or looked at by somebody; the next one tries again.
        }
        finally
        {
            owner.Dispose();
        }
    }

    // Nobody finds it by its name any more; what was just being made in it when it was moved comes at once, and once.
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
