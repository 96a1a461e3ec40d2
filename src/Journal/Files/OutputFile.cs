using System.Globalization;

namespace EventHubThroughput.Journal.Files;

/// <summary>
/// A file that a program writes, with the same rule for all programs. It is created in the same folder, only for its owner, and moved to its path when it is
/// complete. That path may only have an empty file, or an older one of its kind that is not being written. No link is followed. Devices and pipes are written
/// directly.
/// </summary>
public sealed class OutputFile : IDisposable
{
    private const int Tries = 100;
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // An offset after every byte: a writer locks this byte, so that no other process replaces its file in the meantime.
    private const long LockedByte = long.MaxValue / 2;

    private readonly string path;
    private readonly OutputKind kind;

    // Null when the file is at its path.
    private string? temporary;

    private OutputFile(string path, OutputKind kind, FileStream stream, string? temporary)
    {
        this.path = path;
        this.kind = kind;
        this.temporary = temporary;
        Stream = stream;
    }

    /// <summary>The stream of the file. It has no buffer, so written bytes have reached the system.</summary>
    public FileStream Stream { get; }

    /// <summary>Why a file of that kind must not be written at the path, for any caller. Null when it may be.</summary>
    public static string? Problem(string path, OutputKind kind)
    {
        try
        {
            var status = FileStatus.Of(path, followLink: false);
            return status.Kind switch
            {
                FileKind.Link => IsDirect(FileStatus.Of(path, followLink: true).Kind) ? null : "is a link, name the file itself",
                FileKind.Regular when status.Length > 0 && !kind.IsBeginOf(GetBegin(path)) =>
                    $"exists and is not a {kind.Word} of this program, name another file, or move it away",
                _ => null,
            };
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            // Opening the file will report the reason.
            return null;
        }
    }

    /// <summary>Starts a file. An existing file at the path stays until <see cref="Place"/>.</summary>
    /// <exception cref="OutputRefusedException">The existing file must not be replaced.</exception>
    public static OutputFile Create(string path, OutputKind kind)
    {
        Check(path, kind);
        return IsDirect(FileStatus.Of(path, followLink: true).Kind)
            ? new OutputFile(path, kind, Open(path, FileMode.Open), temporary: null)
            : CreateBeside(path, kind);
    }

    /// <summary>Opens an existing file of the kind to continue it.</summary>
    /// <exception cref="OutputRefusedException">It is another object, a link, or another process is writing it.</exception>
    public static OutputFile Continue(string path, OutputKind kind)
    {
        Check(path, kind);
        var stream = Open(path, FileMode.Open);
        try
        {
            if (!FileStatus.IsOpen(stream.SafeFileHandle, path))
            {
                throw new OutputRefusedException("was replaced while it was opened");
            }

            Hold(stream);
            return new OutputFile(path, kind, stream, temporary: null);
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    /// <summary>Checks whether a file of the kind could be written, and changes nothing.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public static void Probe(string path, OutputKind kind)
    {
        // A pipe is opened only once: its reader takes the first closing for the end.
        if (FileStatus.Of(path, followLink: true).Kind != FileKind.Pipe)
        {
            Create(path, kind).Dispose();
        }
    }

    /// <summary>Whether an exception means that a file cannot be written.</summary>
    public static bool IsFailure(Exception exception) => exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <summary>The text of such a failure, to be printed after the file's name.</summary>
    public static string Describe(Exception failure) => failure is OutputRefusedException ? failure.Message : $"cannot be written: {failure.Message}";

    /// <summary>Moves the complete file to its path in one step. A second call does nothing.</summary>
    /// <exception cref="OutputRefusedException">Another object is there now.</exception>
    public void Place()
    {
        if (temporary is not null)
        {
            Check(path, kind);
            File.Move(temporary, path, overwrite: true);
            temporary = null;
        }
    }

    /// <summary>Closes the file. If it was not moved to its path it is removed.</summary>
    public void Dispose()
    {
        Stream.Dispose();
        if (temporary is not null)
        {
            File.Delete(temporary);
            temporary = null;
        }
    }

    private static bool IsDirect(FileKind kind) => kind is FileKind.Device or FileKind.Pipe;

    private static void Check(string path, OutputKind kind)
    {
        if (Problem(path, kind) is { } problem)
        {
            throw new OutputRefusedException(problem);
        }

        switch (FileStatus.Of(path, followLink: true).Kind)
        {
            case FileKind.Folder:
                throw new OutputRefusedException("is a folder");
            case FileKind.Regular:
                // Also throws for a file that may not be read or written: a rename alone would replace it.
                _ = GetBegin(path);
                using (var existing = Open(path, FileMode.Open))
                {
                    Hold(existing);
                }

                break;
        }
    }

    // Never an existing name: it may be a link that another user has prepared.
    private static OutputFile CreateBeside(string path, OutputKind kind)
    {
        for (var number = 0; ; number++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"{path}.{Environment.ProcessId}{(number == 0 ? "" : $".{number}")}.tmp");
            try
            {
                var stream = Open(name, FileMode.CreateNew);
                Hold(stream);
                return new OutputFile(path, kind, stream, name);
            }
            catch (IOException) when (number < Tries && FileStatus.Of(name, followLink: false).Kind != FileKind.Missing) { }
            catch (DirectoryNotFoundException)
            {
                throw new OutputRefusedException($"cannot be written: folder {GetFolder(path)} does not exist");
            }
            catch (UnauthorizedAccessException)
            {
                throw new OutputRefusedException($"cannot be written: folder {GetFolder(path)} allows no new file");
            }
        }
    }

    private static string GetFolder(string path) => Path.GetDirectoryName(path) is { Length: > 0 } folder ? folder : ".";

    private static FileStream Open(string path, FileMode mode)
    {
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = FileAccess.Write,
            Share = FileShare.Read | FileShare.Delete,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows() && mode == FileMode.CreateNew)
        {
            options.UnixCreateMode = OwnerOnly;
        }

        return new FileStream(path, options);
    }

    // Windows itself prevents other writers. On other systems every writer must take the lock.
    private static void Hold(FileStream stream)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        try
        {
            stream.Lock(LockedByte, 1);
        }
        catch (IOException)
        {
            throw new OutputRefusedException("is being written by another program");
        }
    }

    private static ReadOnlyMemory<byte> GetBegin(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        var begin = new byte[OutputKind.LongestBegin];
        return begin.AsMemory(0, file.ReadAtLeast(begin, begin.Length, throwOnEndOfStream: false));
    }
}
