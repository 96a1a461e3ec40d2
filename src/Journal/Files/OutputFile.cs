using System.Globalization;

namespace EventHubThroughput.Journal.Files;

/// <summary>
/// A file that a program writes, by the one rule for all of them. It is made beside its place, for its owner only, and takes its
/// place whole, where nothing may lie but an empty file or an older one of its kind that nobody is writing. No link is followed.
/// Devices and pipes are written directly.
/// </summary>
public sealed class OutputFile : IDisposable
{
    private const int Tries = 100;
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // Far behind every byte: whoever writes a file holds this one, so that nobody else replaces it meanwhile.
    private const long LockedByte = long.MaxValue / 2;

    private readonly string path;
    private readonly OutputKind kind;

    // Null when the file has its place.
    private string? temporary;

    private OutputFile(string path, OutputKind kind, FileStream stream, string? temporary)
    {
        this.path = path;
        this.kind = kind;
        this.temporary = temporary;
        Stream = stream;
    }

    /// <summary>What is written; without a buffer, so that it has reached the system.</summary>
    public FileStream Stream { get; }

    /// <summary>What forbids to write a file of that kind under the path, whoever asks; null when nothing does.</summary>
    public static string? Problem(string path, OutputKind kind)
    {
        try
        {
            var status = FileStatus.Of(path, followLink: false);
            return status.Kind switch
            {
                FileKind.Link => IsDirect(FileStatus.Of(path, followLink: true).Kind) ? null : "is a link, name the file itself",
                FileKind.Regular when status.Length > 0 && !kind.IsBeginOf(BeginOf(path)) =>
                    $"exists and is not a {kind.Word} of this program, name another file, or move it away",
                _ => null,
            };
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            // Whoever opens it will hear of it.
            return null;
        }
    }

    /// <summary>Starts a file; what lay under the path stays there until <see cref="Place"/>.</summary>
    /// <exception cref="OutputRefusedException">What lies there must not be replaced.</exception>
    public static OutputFile Create(string path, OutputKind kind)
    {
        Check(path, kind);
        return IsDirect(FileStatus.Of(path, followLink: true).Kind)
            ? new OutputFile(path, kind, Open(path, FileMode.Open), temporary: null)
            : CreateBeside(path, kind);
    }

    /// <summary>Opens a file of the kind to go on with it.</summary>
    /// <exception cref="OutputRefusedException">It is something else, a link, or somebody writes it.</exception>
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

    /// <summary>Looks whether a file of the kind could be written, and leaves everything as it is.</summary>
    /// <exception cref="IOException">It could not.</exception>
    public static void Probe(string path, OutputKind kind)
    {
        // A pipe is opened once only: its reader takes the first closing for the end.
        if (FileStatus.Of(path, followLink: true).Kind != FileKind.Pipe)
        {
            Create(path, kind).Dispose();
        }
    }

    /// <summary>Whether an exception tells that a file cannot be written.</summary>
    public static bool IsFailure(Exception exception) => exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <summary>Such a failure in words that go behind the file's name.</summary>
    public static string Describe(Exception failure) => failure is OutputRefusedException ? failure.Message : $"cannot be written: {failure.Message}";

    /// <summary>Puts the file into its place, at once and whole. A second call does nothing.</summary>
    /// <exception cref="OutputRefusedException">Something else has come there meanwhile.</exception>
    public void Place()
    {
        if (temporary is not null)
        {
            Check(path, kind);
            File.Move(temporary, path, overwrite: true);
            temporary = null;
        }
    }

    /// <summary>Closes the file; one that has not been given its place is gone.</summary>
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
                // Also tells of a file that may not be read or written: a rename alone would replace it.
                _ = BeginOf(path);
                using (var existing = Open(path, FileMode.Open))
                {
                    Hold(existing);
                }

                break;
        }
    }

    // Never a name that is there: it may be a link laid out by somebody else.
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
                throw new OutputRefusedException($"cannot be written: folder {FolderOf(path)} does not exist");
            }
            catch (UnauthorizedAccessException)
            {
                throw new OutputRefusedException($"cannot be written: folder {FolderOf(path)} allows no new file");
            }
        }
    }

    private static string FolderOf(string path) => Path.GetDirectoryName(path) is { Length: > 0 } folder ? folder : ".";

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

    // Windows itself lets nobody else write; elsewhere whoever writes must ask.
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

    private static ReadOnlyMemory<byte> BeginOf(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        var begin = new byte[OutputKind.LongestBegin];
        return begin.AsMemory(0, file.ReadAtLeast(begin, begin.Length, throwOnEndOfStream: false));
    }
}
